import { stateOfRecord } from '../../api/current.ts';
import type { EventRecord } from '../../api/documents.ts';
import { eventPage } from '../../api/paths.ts';
import { fullTitle } from '../../render/subject-name.ts';

/*
 * An element for the pages of other people, which shows the next events of a catalogue:
 * <almanac-events src="https://example.org/api/v1/next.json" count="5" lang="de" zone="Europe/Berlin">
 */

/** The language and the zone of the texts: those of the element, else those of the reader. */
interface Manner {
  readonly languages: readonly string[];
  /** An IANA zone. Undefined: the reader's. */
  readonly timeZone: string | undefined;
}

type EmbedWord = 'nothing' | 'embedFailed' | 'loading';

/**
 * What the element says, in each language of the pages. The bundler fills it in from their tables.
 */
declare const embedWords: Readonly<Record<string, Readonly<Record<EmbedWord, string>>>>;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { display: block; color: var(--almanac-color, inherit); font: var(--almanac-font, inherit) }
:host([hidden]) { display: none }
ol { display: grid; gap: var(--almanac-gap, 0.6em); margin: 0; padding: 0; list-style: none }
a { color: var(--almanac-link, inherit) }
time, span, p { color: var(--almanac-soft, inherit); font-size: 0.85em }
time, span { display: block }
p { margin: 0.6em 0 0 }
bdi { overflow-wrap: anywhere }`);

/** Only next.json has `now`. */
interface Lists {
  readonly now?: readonly EventRecord[];
  readonly events: readonly EventRecord[];
}

/** Shows what is on now and the next events of a list of the interface. */
class AlmanacEvents extends HTMLElement {
  connectedCallback(): void {
    void this.#load(new URL(this.getAttribute('src') ?? '', document.baseURI).href);
  }

  async #load(source: string): Promise<void> {
    const site = /^.*\/(?=api\/v1\/)/.exec(source)?.[0] ?? null;
    const manner = this.#manner();
    const say = (word: EmbedWord): HTMLElement => paragraph(wordFor(word, manner));
    this.#render(site, say('loading'));
    this.ariaBusy = 'true';
    try {
      const response = await fetch(source, { credentials: 'omit' });
      if (!response.ok) throw new Error(`${response.status}`);
      const { now = [], events } = (await response.json()) as Lists;
      const list = this.#listOf([...now, ...events], site, manner);
      this.#render(site, list ?? say('nothing'));
    } catch (error) {
      this.#render(site, say('embedFailed'));
      // eslint-disable-next-line no-console -- the author of the page looks there
      console.error(
        `almanac-events: src is ${source} (${String(error)}); give it a list such as https://example.org/api/v1/next.json`,
      );
    }
    this.ariaBusy = null;
  }

  /** Reads `lang` and `zone`. What Intl does not know counts as not given. */
  #manner(): Manner {
    const { lang } = this;
    const zone = this.getAttribute('zone') ?? '';
    return {
      languages: [...(isKnown({ locale: lang }) ? [lang] : []), ...navigator.languages],
      timeZone: isKnown({ timeZone: zone }) ? zone : undefined,
    };
  }

  /** Null if nothing is coming. The list may be some days old, so what is over is left out. */
  #listOf(events: readonly EventRecord[], site: string | null, manner: Manner): HTMLElement | null {
    const now = Date.now();
    const coming = events.filter((event) => stateOfRecord(event, now) !== 'over');
    if (coming.length === 0) return null;
    const list = document.createElement('ol');
    const count = Number(this.getAttribute('count')) || 5;
    const pages = this.getAttribute('pages') === 'none' ? null : site;
    list.append(...coming.slice(0, count).map((event) => itemOf(event, pages, manner)));
    return list;
  }

  /**
   * Shows something above what the page itself has in the element: a link to the site, by default.
   */
  #render(site: string | null, content: HTMLElement): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const more = document.createElement('p');
    const slot = document.createElement('slot');
    if (site !== null) slot.append(link(site, new URL(site).host));
    more.append(slot);
    // A style element would need the permission of a strict page.
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(content, more);
  }
}

/** @param pages the address of the site, or null if its events have no pages */
function itemOf(event: EventRecord, pages: string | null, manner: Manner): HTMLElement {
  const { id, title, subject, time_known, starts_at, date, url, location } = event;
  const name = document.createElement('bdi');
  name.textContent = fullTitle(title, subject.name);
  const address = pages === null ? url : pages + eventPage(id);
  const when = document.createElement('time');
  when.dateTime = time_known ? starts_at : date;
  when.textContent = whenOf(event, manner);
  const item = document.createElement('li');
  item.append(address === null ? name : link(address, name), when);
  if (location !== null) {
    const place = document.createElement('span');
    place.textContent = location.name;
    item.append(place);
  }
  return item;
}

/** Whether Intl knows a language or a zone. Empty texts are unknown. */
function isKnown({ locale = 'en', timeZone = 'UTC' }): boolean {
  if (locale === '' || timeZone === '') return false;
  try {
    return Boolean(new Intl.DateTimeFormat(locale, { timeZone }));
  } catch {
    return false;
  }
}

function wordFor(word: EmbedWord, { languages }: Manner): string {
  const tables = languages.map((tag) => embedWords[tag.split('-')[0] ?? '']);
  return (tables.find((words) => words !== undefined) ?? embedWords['en'])?.[word] ?? '';
}

/** Formats when an event is: a date if only that is known, otherwise a time as fine as it is known. */
function whenOf(event: EventRecord, { languages, timeZone }: Manner): string {
  const { time_known, precision, starts_at, ends_at, date, end_date } = event;
  const [first, last] = time_known ? [starts_at, ends_at] : [date, end_date];
  const start = new Date(first);
  const end = new Date(last ?? first);
  const minutes = new Intl.DateTimeFormat('en', { minute: 'numeric', timeZone });
  // A full hour in one zone is half past the hour in some others.
  const isFull = [start, end].every((instant) => minutes.format(instant) === '0');
  const isHour = precision === 'hour' && isFull;
  const time: Intl.DateTimeFormatOptions = {
    hour: 'numeric',
    timeZoneName: 'short',
    timeZone,
    ...(!isHour && { minute: '2-digit' }),
    ...(precision === 'second' && { second: '2-digit' }),
  };
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    ...(time_known ? time : { timeZone: 'UTC' }),
  };
  const format = new Intl.DateTimeFormat([...languages], options);
  return end > start ? format.formatRange(start, end) : format.format(start);
}

function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

/** Only web addresses become links. */
function link(address: string, content: Node | string): HTMLElement {
  const element = document.createElement('a');
  if (/^https?:/.test(address)) element.href = address;
  element.append(content);
  return element;
}

if (customElements.get('almanac-events') === undefined)
  customElements.define('almanac-events', AlmanacEvents);
