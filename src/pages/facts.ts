import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { html, type Markup, type Value } from '../render/html.ts';
import { listPage } from '../render/links.ts';
import type { PageContext } from './context.ts';

type FactsRecord = Pick<EventRecord & AnnouncementRecord, 'tags' | 'details'>;

const attendanceWords = { 'in-person': 'inPerson', online: 'online', hybrid: 'hybrid' } as const;

type Fact = (context: PageContext, details: EventDetails) => Value;

/** How a page shows each detail of an event that fits on a line. Null: it is a block of its own. */
const facts: Readonly<Record<keyof EventDetails, Fact | null>> = {
  description: null,
  image: null,
  attendance: ({ say }, { attendance }) => attendance && say(attendanceWords[attendance]),
  organizer: ({ say }, { organizer }) =>
    organizer && html`${say('organizer')} ${linked(organizer.name, organizer.url)}`,
  source: ({ say }, { source }) => source && html`<a href="${source}" rel="noreferrer">${say('source')}</a>`,
};

/**
 * Renders what is known about an event besides its time and place, below its row.
 *
 * @param lists where the pages of lists are. Null if there may be none for its tags
 */
export function factsOf(context: PageContext, { tags, details }: FactsRecord, lists: string | null): Markup | null {
  if (details === null && tags.length === 0) return null;
  const { image = null, description = null } = details ?? {};
  const line = [
    ...Object.values(facts).map((fact) => fact && details && fact(context, details)),
    ...tags.map((tag) => {
      const name = html`<bdi>#${tag}</bdi>`;
      return lists === null ? name : html`<a href="${lists}${listPage('tag', tag)}">${name}</a>`;
    }),
  ].filter((fact) => fact !== null);
  if (image === null && description === null && line.length === 0) return null;
  return html`<div class="facts">
    ${image && html`<img src="${image.url}" alt="${image.alt ?? ''}" loading="lazy" />`}
    ${description && html`<p><bdi>${description}</bdi></p>`}
    ${line.length > 0 && html`<p class="note">${line.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</p>`}
  </div>`;
}

/** Leaves out each fact of an event that the event before it has as well, so that a list says it once. */
export function withoutRepeats<T extends { readonly record: FactsRecord }>(events: readonly T[]): readonly T[] {
  return events.map((event, index) => {
    const { tags, details } = event.record;
    if (details === null && tags.length === 0) return event;
    const above = events[index - 1]?.record;
    const isNew = (key: string): boolean => textOf(details, key) !== textOf(above?.details ?? null, key);
    const news = Object.entries(details ?? {}).map(([key, value]) => [key, isNew(key) ? value : null]);
    const record = {
      ...event.record,
      tags: tags.join() === above?.tags.join() ? [] : tags,
      details: details && (Object.fromEntries(news) as EventDetails),
    };
    return { ...event, record };
  });
}

function textOf(details: EventDetails | null, key: string): string {
  return JSON.stringify(details?.[key as keyof EventDetails] ?? null);
}

/** Renders the place of an event and its address, with links to a map and to the list of its country if there is one. */
export function whereOf({ say }: PageContext, { location }: EventRecord, lists: string | null): Markup | null {
  if (location === null) return null;
  const { name, address, country, latitude, longitude } = location;
  const place = html`<bdi>${name}</bdi>`;
  const isAt = latitude !== null && longitude !== null;
  const point = isAt ? `${latitude},${longitude}` : '0,0';
  const query = encodeURIComponent(isAt ? `${point}(${name})` : (address ?? ''));
  return html`<p class="where">
    ${country === null || lists === null ? place : html`<a href="${lists}${listPage('country', country.toLowerCase())}">${place}</a>`}${address !== null && html` · <bdi>${address}</bdi>`}${(isAt || address !== null) && html` · <a href="geo:${point}?q=${query}">${say('map')}</a>`}
  </p>`;
}

/** Whether a page that shows the facts of these events shows a picture, which its content security policy must allow. */
export function hasImage(records: readonly FactsRecord[]): boolean {
  return records.some(({ details }) => details?.image != null);
}

function linked(name: string, address: string | null): Markup {
  return address === null
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${address}" rel="noreferrer"><bdi>${name}</bdi></a>`;
}
