import { html, type Markup } from '../../render/html.ts';
import { languages, type Language } from '../words/words.ts';
import { cityOf, ownZone, zone } from './clock.ts';
import { find, put } from './dom.ts';
import { remember, remembered } from './memory.ts';
import { language, speech } from './page.ts';

/** Shows the choices of the reader in the bar. Each is remembered. */
export function startSettings(onChange: () => void): void {
  const place = find('settings');
  if (place === null) return;
  put(place, menu());
  const menuElement = place.querySelector('details');
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !place.contains(target)) menuElement?.removeAttribute('open');
  });
  place.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menuElement?.removeAttribute('open');
    place.querySelector('summary')?.focus();
  });
  place.addEventListener('toggle', () => fillZones(place), true);
  place.addEventListener('change', ({ target }) => change(target as HTMLInputElement | HTMLSelectElement, onChange));
  offerLanguage();
}

/** The menu of a phone also has the link to the changes, for which the bar has no room. */
function menu(): Markup {
  const { theme = '', hidesCountdowns = false } = remembered();
  const option = (value: string, label: string, chosen: string): Markup =>
    html`<option value="${value}" ${value === chosen && html` selected`}>${label}</option>`;
  const changes = document.querySelector<HTMLAnchorElement>('.views a[href$="changes/"]');
  const own = option('', speech.text('ownZone', { zone: cityOf(ownZone) }), zone === ownZone ? '' : zone);
  return html`<details class="menu">
    <summary>${cityOf(zone)} ▾<span class="sr"> ${speech.text('settings')}</span></summary>
    <div>
      <label
        >${speech.text('zone')}<select name="zone">
          ${own}${zone !== ownZone && option(zone, zone, zone)}
        </select></label
      >
      <label
        >${speech.text('theme')}<select name="theme">
          ${option('', speech.text('themeAuto'), theme)}${option('light', speech.text('themeLight'), theme)}${option('dark', speech.text('themeDark'), theme)}
        </select></label
      >
      <label
        >${speech.text('language')}<select name="language">
          ${Object.entries(languages).map(([value, label]) => option(value, label, language))}
        </select></label
      >
      <label class="check"
        ><input name="countdowns" type="checkbox" ${!hidesCountdowns && html` checked`} />
        ${speech.text('countdowns')}</label
      >
      ${changes !== null && html`<a href="${changes.href}">${speech.text('changes')}</a>`}
    </div>
  </details>`;
}

/** There are hundreds of zones, so the list is filled when the menu opens. */
function fillZones(place: HTMLElement): void {
  const select = place.querySelector<HTMLSelectElement>('[name=zone]');
  if (select === null || select.options.length > 2) return;
  const others = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => name !== zone);
  select.append(...others.map((name) => new Option(name.replaceAll('_', ' '), name)));
}

function change(field: HTMLInputElement | HTMLSelectElement, onChange: () => void): void {
  const value = field.value === '' ? undefined : field.value;
  if (field.name === 'countdowns') remember({ hidesCountdowns: !(field as HTMLInputElement).checked });
  else remember({ [field.name]: value });
  if (field.name === 'theme') {
    if (value === undefined) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = value;
  }
  if (field.name === 'zone' || field.name === 'language') location.reload();
  else onChange();
}

/** Offers a reader whose browser prefers another language to switch to it. */
function offerLanguage(): void {
  const place = find('switch');
  const wanted = navigator.languages
    .map((one) => one.toLowerCase().split('-')[0] ?? '')
    .find((one) => one in languages) as Language | undefined;
  if (place === null || wanted === undefined || wanted === language || remembered().language !== undefined) return;
  put(place, html`· <button type="button" lang="${wanted}">${languages[wanted]}</button>`);
  place.querySelector('button')?.addEventListener('click', () => {
    remember({ language: wanted });
    location.reload();
  });
}
