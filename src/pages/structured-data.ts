import type { ChangeRecord, EventRecord } from '../api/documents.ts';
import { root as apiRoot, eventPage } from '../api/paths.ts';
import { offsetAt } from '../catalogue/time/zone.ts';
import { fullTitle } from '../render/subject-name.ts';
import { alternateFormats } from './head.ts';
import type { PageContext } from './context.ts';
import type { ListedEvent } from '../render/records.ts';
import { shortInstant } from './rows.ts';

/** Structured data (schema.org) for a page. A date has exactly the precision that is real (specification, section 1). */

/** The fields of an event before its time changed, as the log of changes has them. */
export type FormerFields = NonNullable<ChangeRecord['before']>;

/** @param former the fields of events before they were moved, by their ids */
export function eventData(
  { baseUrl }: PageContext,
  { record, ownUrl, offset }: ListedEvent,
  former?: ReadonlyMap<string, FormerFields>,
): object {
  const { id, title, subject, date, starts_at, ends_at, end_date, location, status, details } = record;
  const address = `${baseUrl}/${eventPage(id)}`;
  const when = (at: string, day: string | null): string | null => writeTime(record, at, day, offset);
  const before = former?.get(id);
  const previousStartDate = before === undefined ? null : previousStart(before, record);
  const expected = previousStartDate === null ? 'EventScheduled' : 'EventRescheduled';
  return {
    '@type': 'Event',
    '@id': address,
    name: fullTitle(title, subject.name),
    url: ownUrl ?? address,
    eventStatus: `https://schema.org/${statusNames[status] ?? expected}`,
    ...(previousStartDate !== null && { previousStartDate }),
    startDate: when(starts_at, date),
    ...(ends_at !== null && { endDate: when(ends_at, end_date) }),
    ...(location !== null && { location: placeData(location) }),
    ...(details !== null && factsData(details)),
  };
}

const statusNames: Partial<Record<EventRecord['status'], string>> = {
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};

/** Writes a time with the precision of its event, on the clocks of its place if these are known. */
function writeTime(
  { precision, zone }: Pick<EventRecord, 'precision' | 'zone'>,
  at: string,
  day: string | null,
  offset: number,
): string | null {
  if (precision === 'day') return day;
  return zone === null ? instantOf(at, precision) : localTime(at, precision, offset);
}

/** Returns the start of an event before it was moved. Null if it was the same, as far as both are known. */
function previousStart(before: FormerFields, record: EventRecord): string | null {
  const { starts_at: at, date, precision, zone = null } = before as Partial<EventRecord>;
  if (typeof at !== 'string' || typeof date !== 'string' || (zone !== null && typeof zone !== 'string')) return null;
  if (precision === undefined || !precisions.has(precision)) return null;
  const isDay = precision === 'day' || record.precision === 'day';
  if (isDay ? date === record.date : at === record.starts_at) return null;
  return writeTime({ precision, zone }, at, date, zone === null ? 0 : offsetAt(zone, Date.parse(at)));
}

const precisions: ReadonlySet<unknown> = new Set<EventRecord['precision']>(['day', 'hour', 'minute', 'second']);

const attendanceModes = {
  'in-person': 'OfflineEventAttendanceMode',
  online: 'OnlineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
} as const;

function factsData({ description, image, attendance, organizer }: NonNullable<EventRecord['details']>): object {
  return {
    ...(description !== null && { description }),
    ...(image !== null && { image: image.url }),
    ...(attendance !== null && { eventAttendanceMode: `https://schema.org/${attendanceModes[attendance]}` }),
    ...(organizer !== null && {
      organizer: {
        '@type': 'Organization',
        name: organizer.name,
        ...(organizer.url !== null && { url: organizer.url }),
      },
    }),
  };
}

function placeData({ name, address, country, latitude, longitude }: NonNullable<EventRecord['location']>): object {
  const hasAddress = address !== null || country !== null;
  return {
    '@type': 'Place',
    name,
    ...(hasAddress && {
      address: {
        '@type': 'PostalAddress',
        ...(address !== null && { streetAddress: address }),
        ...(country !== null && { addressCountry: country }),
      },
    }),
    ...(latitude !== null && longitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
  };
}

/** An instant on the clocks of its place, with their offset: `2027-01-15T21:00+09:00`. */
function localTime(at: string, precision: EventRecord['precision'], offset: number): string {
  const minutes = Math.round(offset / 60_000);
  if (minutes === 0 || minutes * 60_000 !== offset) return instantOf(at, precision);
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const ahead = Math.abs(minutes);
  const local = new Date(Date.parse(at) + offset)
    .toISOString()
    .slice(0, { day: 10, hour: 13, minute: 16, second: 19 }[precision]);
  return `${local}${minutes < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`;
}

/** A full hour in one zone is half past in some others, so such an hour in UTC has its minutes. */
function instantOf(at: string, precision: EventRecord['precision']): string {
  const text = precision === 'second' ? at.replace('.000Z', 'Z') : shortInstant(at);
  return precision === 'hour' ? text.replace(/:00Z$/, 'Z') : text;
}

/** Where a page is, from the home page on. Paths are relative to the base URL. */
export function breadcrumbData(
  { service, baseUrl }: PageContext,
  crumbs: readonly (readonly [name: string, path: string])[],
): object {
  const all = [[service.name, ''] as const, ...crumbs];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: all.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${baseUrl}/${path}`,
    })),
  };
}

/** The catalogue as data, in each format that holds it. */
export function datasetData({ service, baseUrl, locale }: PageContext, description: string): object {
  return {
    '@type': 'Dataset',
    name: service.name,
    description: description.padEnd(50, '.'),
    url: `${baseUrl}/`,
    license: `${baseUrl}/${apiRoot}/`,
    isAccessibleForFree: true,
    inLanguage: locale.lang,
    creator: { '@type': 'Organization', name: service.name, url: `${baseUrl}/` },
    distribution: alternateFormats('everything', service).map(({ file, mediaType }) => ({
      '@type': 'DataDownload',
      name: file,
      encodingFormat: mediaType,
      contentUrl: `${baseUrl}/${apiRoot}/${file}`,
    })),
  };
}

/** The site, with the address of its search. */
export function siteData({ service, baseUrl, locale, has }: PageContext): object {
  return {
    '@type': 'WebSite',
    name: service.name,
    url: `${baseUrl}/`,
    inLanguage: locale.lang,
    ...(has('tool') && {
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search/?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    }),
  };
}
