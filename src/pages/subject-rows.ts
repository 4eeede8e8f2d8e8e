import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { placeOf, wholePlaceOf } from './places.ts';
import { timeOf, whenColumn } from './row-time.ts';
import { dataAhead, dataOf, periodOf, statusOf } from './rows.ts';

/** How the page of a subject shows its dates. */
export interface DateStyle {
  readonly root: string;
  /** What all dates share, which the page says once. */
  readonly shared: Facts;
  /** The dates of events before they were moved, by their ids. */
  readonly former: ReadonlyMap<string, string>;
  /** The former ids of events whose id changed when they moved, by their ids. */
  readonly formerIds: ReadonlyMap<string, readonly string[]>;
  /** Whether rows have their place. */
  readonly hasPlace: boolean;
  /** Whether the events are not upcoming, so that there may be no pages of their countries. */
  readonly hasBegun?: boolean;
}

/** Renders one event of a subject as a row with its whole date. Its id is that of the event. */
export function dateRow(
  context: PageContext,
  { record, ownUrl }: ListedEvent,
  style: DateStyle,
): Markup {
  const { date, title, location } = record;
  const hasCountry = style.hasBegun !== true;
  const place = style.hasPlace && placeOf(context, location, style.root, hasCountry);
  const whole =
    style.hasPlace &&
    location !== null &&
    html`<template class="where"
      >${wholePlaceOf(context, location, style.root, hasCountry)}</template
    >`;
  const when = whenColumn(
    record,
    html`<span class="d">${context.locale.weekdayDate(date)}</span>
      ${timeOf(context, record, false)}`,
  );
  // The heading says the year.
  const hasYear = title.startsWith(`${date.slice(0, 'yyyy'.length)} `);
  const name = hasYear ? capitalized(context, title.slice('yyyy '.length)) : title;
  return html`<li
    class="e"
    id="${anchorOf(record)}"
    ${dataOf(context, record, false)}
    ${context.service.zone === null && dataAhead(record)}
    ${ownUrl !== null && html` data-url="${ownUrl}"`}
    ${hasYear && html` data-title="${title}"`}
  >
    ${formerAnchors(record, style)}${when}
    <span class="what"
      ><a class="t" dir="auto" href="#${anchorOf(record)}">${name}</a
      >${place}${statusOf(context, record)}${movedFrom(context, record.id, style)}</span
    >${whole}${ownFacts(context, record, style)}
  </li> `;
}

function capitalized({ locale }: PageContext, text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale.lang) + text.slice(1);
}

/** Renders what has no date yet as a row with its period. */
export function announcedRow(
  context: PageContext,
  record: AnnouncementRecord,
  style: DateStyle,
): Markup {
  return html`<li class="e announced" id="${anchorOf(record)}">
    ${formerAnchors(record, style)}<span class="w"
      ><i>${context.text('toCome', { period: periodOf(context, record) })}</i></span
    >
    <span class="what"
      ><a class="t" dir="auto" href="#${anchorOf(record)}">${record.title}</a
      >${statusOf(context, record)}</span
    >${ownFacts(context, record, style)}
  </li>`;
}

/** Renders the addresses that an event had before it moved, so that links to them still work. */
function formerAnchors({ id }: { readonly id: string }, { formerIds }: DateStyle): Markup[] {
  const ids = formerIds.get(id) ?? [];
  return ids.map((former) => html`<span id="${anchorOf({ id: former })}"></span>`);
}

function anchorOf({ id }: { readonly id: string }): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function movedFrom(
  { text, locale }: PageContext,
  id: string,
  { former }: DateStyle,
): Markup | null {
  const date = former.get(id);
  return date === undefined
    ? null
    : html` <span class="status">${text('moved')} <s>${locale.mediumDate(date)}</s></span>`;
}

/** Renders the facts of an event that not all events of the page share. */
function ownFacts(context: PageContext, record: FactsRecord, { shared }: DateStyle): Markup | null {
  const unshared = new Map([...factsOf(context, record)].filter(([fact]) => !shared.has(fact)));
  const [story, line] = [storyOf(unshared), lineOf(unshared)];
  if (unshared.size === 0) return null;
  return html`<div class="facts">
    ${story}${line.length > 0 && html`<p class="note">${joined(line)}</p>`}
  </div>`;
}

type FactsRecord = Pick<EventRecord & AnnouncementRecord, 'tags' | 'details' | 'extra'>;

/**
 * What is known about an event besides its time and place, as markup, and whether it is a part of
 * its story.
 */
type Facts = ReadonlyMap<string, boolean>;

const attendanceWords = {
  'in-person': 'inPerson',
  online: 'online',
  hybrid: 'hybrid',
} as const;

type FactWriter = (details: EventDetails, text: PageContext['text']) => Markup | false;

/** What a page says of each of the details. Null: nothing, or another part of the page does. */
const detailFacts: Readonly<Record<keyof EventDetails, FactWriter | null>> = {
  image: ({ image }) =>
    image !== null && html`<img src="${image.url}" alt="${image.alt ?? ''}" loading="lazy" />`,
  description: ({ description }) => description !== null && html`<p><bdi>${description}</bdi></p>`,
  attendance: ({ attendance }, text) =>
    attendance !== null && html`${text(attendanceWords[attendance])}`,
  organizer: ({ organizer }, text) =>
    organizer !== null && html`${text('organizer')} ${linked(organizer.name, organizer.url)}`,
  source: null,
};

function factsOf(context: PageContext, { details, extra }: FactsRecord): Facts {
  const facts = new Map<string, boolean>();
  if (details !== null)
    for (const [key, write] of Object.entries(detailFacts)) {
      const content = write?.(details, context.text);
      if (content) facts.set(content.markup, key === 'image' || key === 'description');
    }
  for (const [key, value] of Object.entries(extra ?? {}))
    facts.set(factOf(context, key, value).markup, false);
  return facts;
}

/** Renders a field of the owner under its label, or under its key as words. */
function factOf(context: PageContext, key: string, value: unknown): Markup {
  const label = context.service.labels[key] ?? capitalized(context, key.replaceAll('_', ' '));
  return html`<bdi>${label}: ${valueOf(context, value)}</bdi>`;
}

/** Renders the value of a field of the owner as people write it. */
function valueOf({ locale, text }: PageContext, value: unknown): Markup | string {
  if (typeof value === 'number') return locale.number(value);
  if (typeof value === 'boolean') return text(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.map(String).join(', ');
  const plain = String(value);
  return plain.startsWith('https://') ? linked(new URL(plain).hostname, plain) : plain;
}

/** Returns the facts that all events have, and the story of most of them, which is their subject's. */
export function sharedFacts(context: PageContext, records: readonly FactsRecord[]): Facts {
  const facts = records.flatMap((record) => [...factsOf(context, record)]);
  const counts = new Map<string, number>();
  for (const [fact] of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  const isShared = ([fact, isStory]: readonly [string, boolean]) => {
    const count = counts.get(fact) ?? 0;
    return isStory ? count > records.length / 2 : count === records.length;
  };
  return new Map(facts.filter(isShared));
}

export function storyOf(facts: Facts): Markup | null {
  const story = [...facts].flatMap(([markup, isStory]) => (isStory ? { markup } : []));
  return story.length === 0 ? null : html`<div class="story">${story}</div>`;
}

export function lineOf(facts: Facts): Markup[] {
  return [...facts].flatMap(([markup, isStory]) => (isStory ? [] : { markup }));
}

/**
 * Returns the tags and the sources of events, each once.
 *
 * @param tagsWithPages the tags that are links
 */
export function tagsAndSources(
  { text }: PageContext,
  records: readonly FactsRecord[],
  root: string,
  tagsWithPages: ReadonlySet<string>,
): Markup[] {
  const tags = new Set(records.flatMap((record) => record.tags));
  const sources = new Set(records.flatMap(({ details }) => details?.source ?? []));
  return [
    ...Array.from(tags, (tag) => {
      const name = html`<bdi>#${tag}</bdi>`;
      return tagsWithPages.has(tag)
        ? html`<a href="${root}${listPage('tag', tag)}">${name}</a>`
        : name;
    }),
    ...Array.from(
      sources,
      (source) =>
        html`<a href="${source}" rel="noreferrer"
          >${text('source')}: ${new URL(source).hostname}</a
        >`,
    ),
  ];
}

export function joined(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}`;
}

function linked(name: string, address: string | null): Markup {
  return address === null
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${address}" rel="noreferrer"><bdi>${name}</bdi></a>`;
}
