import { stateOfRecord } from '../../api/current.ts';
import type { EventRecord } from '../../api/documents.ts';
import { eventPage } from '../../api/paths.ts';
import { fullTitle } from '../../render/subject-name.ts';

/*
 * An element for the pages of other people, which shows the next events of a catalogue:
 * <almanac-events src="https://example.org/api/v1/next.json" count="5"></almanac-events>
 */

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
time, p { color: var(--almanac-soft, inherit); font-size: 0.85em }
time { display: block }
p { margin: 0.6em 0 0 }
bdi { overflow-wrap: anywhere }`);

/** Only next.json has `now`. */
interface Lists {
  readonly now?: readonly EventRecord[];
  readonly events: readonly EventRecord[];
}

/**
 * Shows what is on now and the next events of a list of the interface, in the language and time
 * zone of the reader.
 */
class AlmanacEvents extends HTMLElement {
  connectedCallback(): void {
    void this.#load(new URL(this.getAttribute('src') ?? '', document.baseURI).href);
  }

  async #load(source: string): Promise<void> {
    const site = /^.*\/(?=api\/v1\/)/.exec(source)?.[0] ?? null;
    this.#render(site, paragraph(wordFor('loading')));
    this.ariaBusy = 'true';
    try {
      const response = await fetch(source, { credentials: 'omit' });
      if (!response.ok) throw new Error(`${response.status}`);
      const { now = [], events } = (await response.json()) as Lists;
      this.#render(site, this.#listOf([...now, ...events], site));
    } catch {
      this.#render(site, paragraph(wordFor('embedFailed')));
    }
    this.ariaBusy = null;
  }

  /** The list may be some days old, so what is over by now is left out. */
  #listOf(events: readonly EventRecord[], site: string | null): HTMLElement {
    const now = Date.now();
    const coming = events.filter((event) => stateOfRecord(event, now) !== 'over');
    const list = document.createElement('ol');
    const count = Number(this.getAttribute('count')) || 5;
    const pages = this.getAttribute('pages') === 'none' ? null : site;
    list.append(...coming.slice(0, count).map((event) => itemOf(event, pages)));
    return coming.length === 0 ? paragraph(wordFor('nothing')) : list;
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
function itemOf(event: EventRecord, pages: string | null): HTMLElement {
  const { id, title, subject, time_known, starts_at, date, url } = event;
  const name = document.createElement('bdi');
  name.textContent = fullTitle(title, subject.name);
  const address = pages === null ? url : pages + eventPage(id);
  const when = document.createElement('time');
  when.dateTime = time_known ? starts_at : date;
  when.textContent = whenOf(event);
  const item = document.createElement('li');
  item.append(address === null ? name : link(address, name), when);
  return item;
}

function wordFor(word: EmbedWord): string {
  const own = navigator.languages.map((tag) => embedWords[tag.split('-')[0] ?? '']);
  return (own.find((words) => words !== undefined) ?? embedWords['en'])?.[word] ?? '';
}

/**
 * Formats when an event is for the reader: a date if only that is known, otherwise a time as fine
 * as it is known.
 */
function whenOf({
  time_known,
  precision,
  starts_at,
  ends_at,
  date,
  end_date,
}: EventRecord): string {
  const [first, last] = time_known ? [starts_at, ends_at] : [date, end_date];
  const start = new Date(first);
  const end = new Date(last ?? first);
  // A full hour in one zone is half past the hour in some others.
  const isHour = precision === 'hour' && start.getMinutes() + end.getMinutes() === 0;
  const time: Intl.DateTimeFormatOptions = {
    hour: 'numeric',
    timeZoneName: 'short',
    ...(!isHour && { minute: '2-digit' }),
    ...(precision === 'second' && { second: '2-digit' }),
  };
  const day = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
  const options: Intl.DateTimeFormatOptions = {
    ...day,
    ...(time_known ? time : { timeZone: 'UTC' }),
  };
  const format = new Intl.DateTimeFormat([...navigator.languages], options);
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
