import { html } from '../../render/html.ts';
import { isAtPlace, nameOfZone, ownZone, zone, zoneNote } from './clock.ts';
import { create, find } from './dom.ts';
import { remember } from './memory.ts';
import { speech } from './page.ts';

/** Offers the choice of a time zone where the page says in which zone its times are. The choice is remembered. */
export function startZone(): void {
  const note = find('zone');
  const label = speech.text('zone');
  if (note === null) return;
  const select = create(
    html`<select id="zones" aria-label="${label}">
      <option value="${zone}">${isAtPlace ? speech.text('ofPlaces') : nameOfZone(zone)}</option>
    </select>`,
  ) as HTMLSelectElement;
  note.textContent = zoneNote;
  note.after(' ', select);
  // There are hundreds of zones, so the list is filled when it is about to open.
  for (const type of ['focus', 'pointerdown']) select.addEventListener(type, () => fill(select));
  select.addEventListener('change', () => {
    remember({ zone: select.value === '' ? undefined : select.value });
    location.reload();
  });
}

function fill(select: HTMLSelectElement): void {
  if (select.options.length > 1) return;
  const own = document.body.dataset['zone'] === undefined ? '' : ownZone;
  select.append(new Option(speech.text('ownZone', { zone: nameOfZone(ownZone) }), own));
  if (own !== '' && !isAtPlace) select.append(new Option(speech.text('ofPlaces'), ''));
  const others = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => name !== zone);
  select.append(...others.map((name) => new Option(nameOfZone(name), name)));
}
