import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage } from '../render/links.ts';
import type { PageContext } from './context.ts';

type FactsRecord = Pick<EventRecord & AnnouncementRecord, 'tags' | 'details'>;

/** What is known about an event besides its time and place. */
export type Facts = Partial<EventDetails>;

const attendanceWords = { 'in-person': 'inPerson', online: 'online', hybrid: 'hybrid' } as const;

/** Renders a picture and a description. */
export function storyOf({ image, description }: Facts): Markup | null {
  if (image == null && description == null) return null;
  return html`<div class="story">
    ${image != null && html`<img src="${image.url}" alt="${image.alt ?? ''}" loading="lazy" />`}
    ${description != null && html`<p><bdi>${description}</bdi></p>`}
  </div>`;
}

/** Returns the facts that fit on a line. */
export function lineOf({ text }: PageContext, { attendance, organizer }: Facts): Markup[] {
  const parts = [
    attendance != null && html`${text(attendanceWords[attendance])}`,
    organizer != null && html`${text('organizer')} ${linked(organizer.name, organizer.url)}`,
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

/** Joins the parts of a line. */
export function joined(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}`;
}

/** Returns the facts that all events have. */
export function sharedFacts(records: readonly FactsRecord[]): Facts {
  const [first, ...others] = records;
  const isShared = (key: keyof EventDetails): boolean =>
    others.every(({ details }) => sameText(details?.[key], first?.details?.[key]));
  return pick(first?.details ?? null, isShared);
}

/** Returns the facts of an event that are not shared by all. */
export function ownFacts({ details }: FactsRecord, shared: Facts): Facts {
  return pick(details, (key) => !(key in shared));
}

function pick(details: EventDetails | null, isWanted: (key: keyof EventDetails) => boolean): Facts {
  const entries = Object.entries(details ?? {}).filter(
    ([key, value]) => value !== null && isWanted(key as keyof EventDetails),
  );
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
