import type { AnnouncedDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import type { Before } from '../api/changes.ts';
import { readDocument } from './documents.ts';
import { unreadable, type Site } from './site.ts';

type Announced = Pick<Before, 'announced' | 'hasAllAnnounced'>;

/**
 * Reads the announcements of a site, from the list of everything if that is complete, otherwise from those of genres.
 */
export class AnnouncedEvents {
  readonly #site: Site;
  /** The list of everything. Null if the site has no such lists. */
  readonly #list: AnnouncedDocument | null;

  private constructor(site: Site, list: AnnouncedDocument | null) {
    this.#site = site;
    this.#list = list;
  }

  static async open(site: Site): Promise<AnnouncedEvents> {
    return new AnnouncedEvents(site, await readList(site, null));
  }

  /** Returns the announcements of a genre. */
  async of(genre: string): Promise<Announced> {
    if (this.#list === null) return { announced: new Map(), hasAllAnnounced: false };
    const list = isComplete(this.#list) ? this.#list : await readList(this.#site, genre);
    const records = (list?.announced ?? []).filter((record) => record.genre === genre);
    return {
      announced: new Map(records.map((record) => [record.id, record])),
      hasAllAnnounced: list === null || isComplete(list),
    };
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
