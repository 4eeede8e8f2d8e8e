import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage } from '../render/links.ts';
import type { PageContext } from './context.ts';

type FactsRecord = Pick<EventRecord & AnnouncementRecord, 'tags' | 'details' | 'extra'>;

/** What is known about an event besides its time and place: its details, and its own fields by `extra.{key}`. */
export type Facts = Partial<EventDetails> & Readonly<Record<`extra.${string}`, unknown>>;

const ownField = 'extra.';

const attendanceWords = { 'in-person': 'inPerson', online: 'online', hybrid: 'hybrid' } as const;

export function storyOf({ image, description }: Facts): Markup | null {
  if (image == null && description == null) return null;
  return html`<div class="story">
    ${image != null && html`<img src="${image.url}" alt="${image.alt ?? ''}" loading="lazy" />`}
    ${description != null && html`<p><bdi>${description}</bdi></p>`}
  </div>`;
}

export function lineOf({ text }: PageContext, { attendance, organizer, ...facts }: Facts): Markup[] {
  const own = Object.entries(facts).filter(([key]) => key.startsWith(ownField));
  const parts = [
    attendance != null && html`${text(attendanceWords[attendance])}`,
    organizer != null && html`${text('organizer')} ${linked(organizer.name, organizer.url)}`,
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
  return pick(first, (key) => others.every((facts) => sameText(facts[key], first[key])));
}

/** Returns the facts of an event that are not shared by all. */
export function ownFacts(record: FactsRecord, shared: Facts): Facts {
  return pick(factsOf(record), (key) => !(key in shared));
}

function factsOf({ details, extra }: FactsRecord): Facts {
  const own = Object.entries(extra ?? {}).map(([key, value]) => [`${ownField}${key}`, value]);
  return { ...details, ...Object.fromEntries(own) } as Facts;
}

function pick(facts: Facts, isWanted: (key: keyof Facts) => boolean): Facts {
  const entries = Object.entries(facts).filter(([key, value]) => value !== null && isWanted(key as keyof Facts));
  return Object.fromEntries(entries);
}

function sameText(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
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
