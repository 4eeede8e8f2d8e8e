import { html } from '../../render/html.ts';
import { monthPage } from '../../render/links.ts';
import { reach } from '../reach.ts';
import { nameOf, queryOf, type Choice } from './choice.ts';
import { now, zoneName } from './clock.ts';
import { find, put, write } from './dom.ts';
import { months } from './feed.ts';
import { countEvents, type Row } from './list.ts';
import { locale, site, speech } from './page.ts';
import { nameOfScope } from './rail.ts';

const wholeTitle = document.title;
const heading = document.querySelector('main h1');
const wholeHeading = heading?.cloneNode(true) as HTMLElement | undefined;

/** Names the choice in the heading, in the title and for screen readers. */
export function describe(choice: Choice, total: number): void {
  if (heading === null || wholeHeading === undefined) return;
  const name = nameOf(choice, nameOfScope(choice.scope));
  if (name === '') heading.replaceChildren(...(wholeHeading.cloneNode(true) as HTMLElement).childNodes);
  else put(heading, html`<bdi>${name}</bdi> <span class="count">${locale.number(total)}</span>`);
  const service = document.querySelector('.name bdi')?.textContent ?? '';
  const summary = name === '' ? '' : `${name} · ${locale.number(total)}`;
  document.title = name === '' ? wholeTitle : `${summary} – ${service}`;
  write(find('status'), summary);
}

/** Shows how far the list reaches, and what follows. */
export function showReach({ scope, when }: Choice, shown: readonly Row[], total: number): void {
  const place = find('reach');
  if (place === null) return;
  const coming = shown.filter(({ until }) => when !== '' || until > now());
  const last = coming.reduce((latest, { day }) => (day > latest ? day : latest), '');
  const addressOf = (month: string): string =>
    scope === '' ? new URL(monthPage(month), site).href : new URL(queryOf({ scope, when: month }), site).href;
  const content = { shown: countEvents(coming), total, last, months, addressOf, root: site.href };
  put(place, reach({ locale, ...speech }, content));
}

/** Says in which zone the times are, if there are any. */
export function showZone(shown: readonly Row[]): void {
  const hasTimes = shown.some(({ at }) => at !== null);
  write(find('zone'), hasTimes ? speech.text('inZone', { zone: zoneName }) : '');
}
