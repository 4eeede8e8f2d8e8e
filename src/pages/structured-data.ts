import type { EventRecord } from '../api/documents.ts';
import { formats, formatsOf } from '../api/formats.ts';
import { root as apiRoot, eventPage } from '../api/paths.ts';
import type { EventDetails } from '../catalogue/model.ts';
import { isoInstant, isoOffset, minute } from '../catalogue/time/time.ts';
import { fullTitle } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { cityOf } from './places.ts';
import type { ListedEvent } from '../render/records.ts';

/** @param former the dates of events before they were moved, by their ids */
export function eventData(
  { baseUrl }: PageContext,
  event: ListedEvent,
  former: ReadonlyMap<string, string>,
): object {
  const { record, ownUrl } = event;
  const {
    id,
    time_known: hasTime,
    date,
    starts_at,
    ends_at,
    end_date,
    location,
    status,
    details,
  } = record;
  const address = `${baseUrl}/${eventPage(id)}`;
  const previousStartDate = former.get(id);
  const expected = previousStartDate === undefined ? 'EventScheduled' : 'EventRescheduled';
  return {
    '@type': 'Event',
    '@id': address,
    name: fullTitle(record.title, record.subject.name),
    url: ownUrl ?? address,
    eventStatus: `https://schema.org/${statusNames[status] ?? expected}`,
    previousStartDate,
    startDate: hasTime ? writeTime(event, starts_at) : date,
    ...(ends_at !== null && { endDate: hasTime ? writeTime(event, ends_at) : end_date }),
    ...(location !== null && { location: placeData(location) }),
    ...(details !== null &&
      Object.assign({}, ...Object.values(detailData).map((read) => read?.(details)))),
  };
}

const statusNames: Partial<Record<EventRecord['status'], string>> = {
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};

/**
 * Writes a time as precisely as it is known, on the clocks of its place if these are:
 * `2027-01-15T21:00+09:00`.
 */
function writeTime({ record, offset }: ListedEvent, at: string): string {
  const { precision, zone } = record;
  const ahead = zone === null || offset % minute !== 0 ? 0 : offset;
  const local = isoInstant(Date.parse(at) + ahead);
  // A full hour in one zone is half past in some others, so such an hour in UTC has its minutes.
  const isHour = precision === 'hour' && local.startsWith('00', 'yyyy-mm-ddThh:'.length);
  const minutes = isHour ? 'yyyy-mm-ddThh' : 'yyyy-mm-ddThh:mm';
  const { length } = precision === 'second' ? 'yyyy-mm-ddThh:mm:ss' : minutes;
  return local.slice(0, length) + (ahead === 0 ? 'Z' : isoOffset(ahead));
}

const attendanceModes = {
  'in-person': 'OfflineEventAttendanceMode',
  online: 'OnlineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
} as const;

/** What schema.org has for each of the details. Null: nothing. */
const detailData: Readonly<
  Record<keyof EventDetails, ((details: EventDetails) => object | false) | null>
> = {
  description: ({ description }) => description !== null && { description },
  image: ({ image }) => image !== null && { image: image.url },
  attendance: ({ attendance }) =>
    attendance !== null && {
      eventAttendanceMode: `https://schema.org/${attendanceModes[attendance]}`,
    },
  organizer: ({ organizer }) =>
    organizer !== null && { organizer: { '@type': 'Organization', ...withoutNull(organizer) } },
  source: null,
};

function placeData({
  name,
  address,
  country,
  latitude,
  longitude,
}: NonNullable<EventRecord['location']>): object {
  const locality =
    address === null
      ? null
      : cityOf({
          name,
          address,
          country,
        });
  const postal = withoutNull({
    streetAddress: address,
    addressLocality: locality,
    addressCountry: country,
  });
  return {
    '@type': 'Place',
    name,
    ...(Object.keys(postal).length > 0 && { address: { '@type': 'PostalAddress', ...postal } }),
    ...(latitude !== null &&
      longitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
  };
}

function withoutNull(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** A page by its name and its path, relative to the base URL. */
export type Crumb = readonly [name: string, path: string];

/** Where a page is, from the home page on. */
export function breadcrumbData(
  { service, baseUrl }: PageContext,
  crumbs: readonly Crumb[],
): object {
  const trail = [[service.name, ''] as const, ...crumbs];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${baseUrl}/${path}`,
    })),
  };
}

/** The catalogue as data, in each format that holds it. */
export function datasetData(
  { service, baseUrl, locale }: PageContext,
  description: string,
): object {
  return {
    '@type': 'Dataset',
    name: service.name,
    description: description.padEnd(50, '.'),
    url: `${baseUrl}/`,
    license: `${baseUrl}/${apiRoot}/`,
    isAccessibleForFree: true,
    inLanguage: locale.lang,
    creator: { '@type': 'Organization', name: service.name, url: `${baseUrl}/` },
    distribution: formatsOf('everything', service).map((name) => ({
      '@type': 'DataDownload',
      name: formats[name].file,
      encodingFormat: formats[name].mediaType,
      contentUrl: `${baseUrl}/${apiRoot}/${formats[name].file}`,
    })),
  };
}

/** The site, with the address of its search. */
export function siteData({ service, baseUrl, locale, hasAllPages }: PageContext): object {
  return {
    '@type': 'WebSite',
    name: service.name,
    url: `${baseUrl}/`,
    inLanguage: locale.lang,
    ...(hasAllPages && {
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search/?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    }),
  };
}
