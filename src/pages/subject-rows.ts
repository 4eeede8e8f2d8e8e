import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { PageContext } from './context.ts';
import { placeOf } from './places.ts';
import { dataOf, periodOf, statusOf, timeOf } from './rows.ts';
import type { FormerFields } from './structured-data.ts';

/** How the page of a subject shows its dates. */
export interface DateStyle {
  readonly root: string;
  /** What all dates share, which the page says once. */
  readonly shared: Facts;
  /** The fields of events before they were moved, by their ids. */
  readonly former: ReadonlyMap<string, FormerFields>;
  /** Whether rows have their place. */
  readonly hasPlace: boolean;
  /** Whether the events are not upcoming, so that there may be no pages of their countries. */
  readonly hasBegun?: boolean;
}

/** Renders one event of a subject as a row with its whole date. Its id is that of the event. */
export function dateRow(context: PageContext, { record, ownUrl }: ListedEvent, style: DateStyle): Markup {
  const { locale } = context;
  const place = style.hasPlace && placeOf(context, record.location, style.root, style.hasBegun !== true);
  return html`<li class="e" id="${anchorOf(record)}" ${dataOf(context, record, false)}>
    <span class="w"><span class="d">${locale.mediumDate(record.date)}</span> ${timeOf(context, record, false)}</span>
    <span class="what"
      >${titleOf(record.title, ownUrl)}${place}${statusOf(context, record)}${movedFrom(context, record.id, style)}</span
    >${detailsOf(context, record, style)}
  </li> `;
}

/** Renders what has no date yet as a row with its period. */
export function announcedRow(context: PageContext, record: AnnouncementRecord, style: DateStyle): Markup {
  return html`<li class="e announced" id="${anchorOf(record)}">
    <span class="w"><i>${context.text('toCome', { period: periodOf(context, record) })}</i></span>
    <span class="what">${titleOf(record.title, null)}${statusOf(context, record)}</span
    >${detailsOf(context, record, style)}
  </li>`;
}

function anchorOf({ id }: { readonly id: string }): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function titleOf(title: string, address: string | null): Markup {
  if (address === null) return html`<span class="t" dir="auto">${title}</span>`;
  return html`<a class="t" dir="auto" href="${address}" rel="noreferrer">${title}</a>`;
}

function movedFrom({ text, locale }: PageContext, id: string, { former }: DateStyle): Markup | null {
  const date = former.get(id)?.['date'];
  if (typeof date !== 'string' || Number.isNaN(Date.parse(date))) return null;
  return html` <span class="status">${text('moved')} <s>${locale.mediumDate(date)}</s></span>`;
}

function detailsOf(
  context: PageContext,
  record: ListedEvent['record'] | AnnouncementRecord,
  { shared }: DateStyle,
): Markup | null {
  const own = pick(factsOf(record), (key) => !(key in shared));
  const line = lineOf(context, own);
  const story = storyOf(own);
  if (story === null && line.length === 0) return null;
  return html`<div class="facts">${story}${line.length > 0 && html`<p class="note">${joined(line)}</p>`}</div>`;
}

type FactsRecord = Pick<EventRecord & AnnouncementRecord, 'tags' | 'details' | 'extra'>;

/** What is known about an event besides its time and place: its details, and its own fields by `extra.{key}`. */
type Facts = Partial<EventDetails> & Readonly<Record<`extra.${string}`, unknown>>;

const ownField = 'extra.';

const attendanceWords = { 'in-person': 'inPerson', online: 'online', hybrid: 'hybrid' } as const;

export function storyOf({ image, description }: Facts): Markup | null {
  if (image == null && description == null) return null;
  return html`<div class="story">
    ${image != null && html`<img src="${image.url}" alt="${image.alt ?? ''}" loading="lazy" />`}
    ${description != null && html`<p><bdi>${description}</bdi></p>`}
  </div>`;
}

type FactsWriter = (facts: Facts, text: PageContext['text']) => Markup | false;

/** What the line of facts says of each of the details. Null: nothing, or another part of the page does. */
const detailParts: Readonly<Record<keyof EventDetails, FactsWriter | null>> = {
  attendance: ({ attendance }, text) => attendance != null && html`${text(attendanceWords[attendance])}`,
  organizer: ({ organizer }, text) =>
    organizer != null && html`${text('organizer')} ${linked(organizer.name, organizer.url)}`,
  description: null,
  image: null,
  source: null,
};

export function lineOf({ text }: PageContext, facts: Facts): Markup[] {
  const own = Object.entries(facts).filter(([key]) => key.startsWith(ownField));
  const parts = [
    ...Object.values(detailParts).map((write) => write?.(facts, text) ?? false),
    ...own.map(([key, value]) => html`<bdi>${key.slice(ownField.length)}: ${String(value)}</bdi>`),
  ];
  return parts.filter((part) => part !== false);
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
      return tagsWithPages.has(tag) ? html`<a href="${root}${listPage('tag', tag)}">${name}</a>` : name;
    }),
    ...Array.from(
      sources,
      (source) => html`<a href="${source}" rel="noreferrer">${text('source')}: ${new URL(source).hostname}</a>`,
    ),
  ];
}

export function joined(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}`;
}

/** Returns the facts that all events have. */
export function sharedFacts(records: readonly FactsRecord[]): Facts {
  const [first = {}, ...others] = records.map(factsOf);
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  return pick(first, (key) => others.every((facts) => isSame(facts[key], first[key])));
}

function factsOf({ details, extra }: FactsRecord): Facts {
  const own = Object.entries(extra ?? {}).map(([key, value]) => [`${ownField}${key}`, value]);
  return { ...details, ...Object.fromEntries(own) } as Facts;
}

function pick(facts: Facts, isWanted: (key: keyof Facts) => boolean): Facts {
  const entries = Object.entries(facts).filter(([key, value]) => value !== null && isWanted(key as keyof Facts));
  return Object.fromEntries(entries);
}

function linked(name: string, address: string | null): Markup {
  return address === null
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${address}" rel="noreferrer"><bdi>${name}</bdi></a>`;
}
