import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage } from '../render/links.ts';
import type { PageContext } from './context.ts';

type FactsRecord = Pick<EventRecord & AnnouncementRecord, 'tags' | 'details'>;

/** What is known about an event besides its time and place. */
export interface Facts {
  readonly details: Partial<EventDetails>;
  readonly tags: readonly string[];
}

const attendanceWords = { 'in-person': 'inPerson', online: 'online', hybrid: 'hybrid' } as const;

/** Renders a picture and a description. */
export function storyOf({ image, description }: Partial<EventDetails>): Markup | null {
  if (image == null && description == null) return null;
  return html`<div class="story">
    ${image != null && html`<img src="${image.url}" alt="${image.alt ?? ''}" loading="lazy" />`}
    ${description != null && html`<p><bdi>${description}</bdi></p>`}
  </div>`;
}

/**
 * Returns the facts that fit on a line.
 *
 * @param tagsWithPages the tags that are links
 */
export function lineOf(
  { text }: PageContext,
  { details, tags }: Facts,
  root: string,
  tagsWithPages: ReadonlySet<string>,
): Markup[] {
  const { attendance, organizer, source } = details;
  const parts = [
    attendance != null && html`${text(attendanceWords[attendance])}`,
    organizer != null && html`${text('organizer')} ${linked(organizer.name, organizer.url)}`,
    ...tags.map((tag) => {
      const name = html`<bdi>#${tag}</bdi>`;
      return tagsWithPages.has(tag) ? html`<a href="${root}${listPage('tag', tag)}">${name}</a>` : name;
    }),
    source != null && html`<a href="${source}" rel="noreferrer">${text('source')}: ${new URL(source).hostname}</a>`,
  ];
  return parts.filter((part) => part !== false);
}

/** Joins the parts of a line. */
export function joined(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}`;
}

/** Returns the facts that all events have. */
export function sharedFacts(records: readonly FactsRecord[]): Facts {
  const [first, ...others] = records;
  if (first === undefined) return { details: {}, tags: [] };
  const isShared = (key: keyof EventDetails): boolean =>
    others.every(({ details }) => sameText(details?.[key], first.details?.[key]));
  return {
    details: pick(first.details, isShared),
    tags: first.tags.filter((tag) => others.every(({ tags }) => tags.includes(tag))),
  };
}

/** Returns the facts of an event that are not shared by all. */
export function ownFacts({ details, tags }: FactsRecord, shared: Facts): Facts {
  return {
    details: pick(details, (key) => !(key in shared.details)),
    tags: tags.filter((tag) => !shared.tags.includes(tag)),
  };
}

function pick(details: EventDetails | null, isWanted: (key: keyof EventDetails) => boolean): Partial<EventDetails> {
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
