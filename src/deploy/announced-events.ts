import type { AnnouncedDocument, AnnouncementRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import type { Before } from '../api/changes.ts';
import { readDocument } from './site-documents.ts';
import { unreadable, type Site } from './site.ts';

type Announced = Pick<Before, 'announced' | 'hasAllAnnounced'>;

const unknown: Announced = { announced: new Map(), hasAllAnnounced: false };

/** Reads what a site announces, from the list of everything if that is complete, else from the lists of genres. */
export class AnnouncedEvents {
  readonly #site: Site;
  /** By genre; null if the list of everything is not complete. */
  readonly #byGenre: Map<string, AnnouncementRecord[]> | null;
  /** Whether the site has such lists. */
  readonly #isPublished: boolean;

  private constructor(site: Site, list: AnnouncedDocument | null) {
    this.#site = site;
    this.#isPublished = list !== null;
    this.#byGenre = list !== null && isComplete(list) ? new Map() : null;
    for (const record of list?.announced ?? []) {
      const records = this.#byGenre?.get(record.genre);
      if (records === undefined) this.#byGenre?.set(record.genre, [record]);
      else records.push(record);
    }
  }

  static async open(site: Site): Promise<AnnouncedEvents> {
    return new AnnouncedEvents(site, await readList(site, null));
  }

  /** Returns the announcements of a genre, once. */
  async take(genre: string): Promise<Announced> {
    if (!this.#isPublished) return unknown;
    const list = this.#byGenre === null ? await readList(this.#site, genre) : null;
    const records = this.#byGenre?.get(genre) ?? list?.announced ?? [];
    this.#byGenre?.delete(genre);
    return {
      announced: new Map(records.map((record) => [record.id, record])),
      hasAllAnnounced: list === null || isComplete(list),
    };
  }

  /** Returns the genres that were not taken. */
  remainingGenres(): string[] {
    return [...(this.#byGenre?.keys() ?? [])].sort();
  }
}

function isComplete({ total, announced }: AnnouncedDocument): boolean {
  return total <= announced.length;
}

async function readList(site: Site, genre: string | null): Promise<AnnouncedDocument | null> {
  const path = formatPath(formats.announced, { genre });
  const list = await readDocument<AnnouncedDocument>(site, path);
  if (list === null || (Array.isArray(list.announced) && Number.isInteger(list.total))) return list;
  throw unreadable(`${site.name}/${path}`, 'it lists no announced events');
}
