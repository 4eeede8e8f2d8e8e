import { calendarPath } from '../../api/formats.ts';
import { all, write } from './dom.ts';
import { speech } from './page.ts';

/** The attributes with the address of the calendar, as the page was built. */
const addresses = all('.subscribe [href], .subscribe [data-copy]').map((element) => {
  const name = element.hasAttribute('href') ? 'href' : 'data-copy';
  return { element, name, address: element.getAttribute(name) ?? '' };
});

/** Offers the calendar of a category or genre, or of everything. Some addresses contain that of the calendar, encoded. */
export function showSubscription(scope: string, name: string): void {
  const [category = '', genre] = scope.split('/');
  const whole = calendarPath({});
  const path = scope === '' ? whole : calendarPath(genre === undefined ? { category } : { genre });
  for (const { element, name: attribute, address } of addresses) {
    const changed = address.replace(whole, path).replace(encodeURIComponent(whole), encodeURIComponent(path));
    element.setAttribute(attribute, changed);
  }
  const text = speech.text('subscribe');
  write(document.querySelector('.subscribe h2'), name === '' ? text : `${text}: ${name}`);
  for (const reach of all('.subscribe .note')) reach.hidden = scope !== '';
}
