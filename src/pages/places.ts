import { memoize } from '../catalogue/time/memoize.ts';
import type { EventRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import { listPage, searchPage } from '../render/links.ts';
import type { PageContext } from './context.ts';

type Location = NonNullable<EventRecord['location']>;

/**
 * Renders the place of an event in a row: its name, and its city as a link to everything there.
 *
 * @param hasCountry whether the country has a page, which those of upcoming events have
 */
export function placeOf(
  context: PageContext,
  location: Location | null,
  root: string,
  hasCountry: boolean,
): Markup | null {
  if (location === null) return null;
  const { name, address, country } = location;
  const place = isCountry(context, location)
    ? countryLink(context, country ?? '', name, hasCountry ? root : null)
    : html`${address !== null && name !== cityOf(location) && html`<bdi>${name}</bdi>, `}${cityLink(context, cityOf(location), root)}`;
  return html` <span class="p p-location">${place}</span>`;
}

/**
 * Renders the place of an event whole, with its address, its country and a map. Parameters as in
 * {@link placeOf}.
 */
export function wholePlaceOf(
  context: PageContext,
  location: Location,
  root: string,
  hasCountry: boolean,
): Markup {
  const { name, address, country, latitude, longitude } = location;
  const isAt = latitude !== null && longitude !== null;
  const point = isAt ? `${latitude},${longitude}` : '0,0';
  const query = encodeURIComponent(isAt ? `${point}(${name})` : (address ?? ''));
  const city = cityOf(location);
  const [before = '', ...rest] = (address ?? name).split(city);
  const isWhole = isCountry(context, location);
  const parts = [
    address !== null && html`<bdi>${name}</bdi>`,
    !isWhole && html`${before}${cityLink(context, city, root)}${rest.join(city)}`,
    country !== null &&
      countryLink(context, country, context.locale.region(country), hasCountry ? root : null),
    (isAt || address !== null) &&
      html`<a href="geo:${point}?q=${query}">${context.text('map')}</a>`,
  ].filter((part) => part !== false);
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}`;
}

function isCountry({ locale }: PageContext, { name, address, country }: Location): boolean {
  return (
    country !== null &&
    address === null &&
    (locale.region(country) === name || englishName(country) === name)
  );
}

const englishName = memoize((country: string) =>
  new Intl.DisplayNames('en', { type: 'region' }).of(country),
);

/**
 * Returns the city of a place: the part of its address with the postcode, or else the last that is
 * neither a country nor a code such as `NY`.
 */
export function cityOf({
  name,
  address,
  country,
}: Pick<Location, 'name' | 'address' | 'country'>): string {
  const parts = (address ?? name).split(/\s*,\s*/);
  const names = parts.map((part) => part.replace(/\S*\d\S*/g, '').trim());
  const isCity = (part: string) =>
    part !== '' && !/^\p{Lu}{1,3}$/u.test(part) && part !== (country && englishName(country));
  const withPostcode = names.find((part, n) => isCity(part) && /\d{4,}/.test(parts[n] ?? ''));
  const isPlain = (part: string) => isCity(part) && parts.includes(part);
  return withPostcode ?? names.findLast(isPlain) ?? names.findLast(isCity) ?? name;
}

function cityLink({ hasAllPages }: PageContext, city: string, root: string): Markup {
  if (!hasAllPages) return html`<bdi>${city}</bdi>`;
  return html`<a href="${root}${searchPage}?q=${encodeURIComponent(city)}"><bdi>${city}</bdi></a>`;
}

function countryLink(
  { hasAllPages }: PageContext,
  country: string,
  name: string,
  root: string | null,
): Markup {
  if (root === null || !hasAllPages) return html`<bdi>${name}</bdi>`;
  return html`<a href="${root}${listPage('country', country.toLowerCase())}"
    ><bdi>${name}</bdi></a
  >`;
}
