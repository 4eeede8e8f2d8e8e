/** Addresses of web pages that people copy from a browser instead of the address of the calendar or table. */
interface PageAddress {
  readonly page: string;
  readonly pattern: RegExp;
  /** The address to use instead. There is none if the pattern did not find one of its parts. */
  readonly right?: string;
  /** The condition for the right address to work. */
  readonly needs?: string;
  /** How to find the right address, if it is not in `right`. */
  readonly advice?: string;
}

const google = String.raw`^https://docs\.google\.com/(?:a/[^/]+/)?spreadsheets/(?:u/\d+/)?d/`;
const sheet = String.raw`(?:.*?[?&#](?=gid=)|.*)(?<sheet>(?:gid=\d+)?).*$`;

const pages: readonly PageAddress[] = [
  {
    page: 'a published Google sheet as a page',
    pattern: RegExp(`${google}e/(?<id>[\\w-]+)/pub(?!.*output=[ct]sv)${sheet}`),
    right: 'https://docs.google.com/spreadsheets/d/e/$<id>/pub?output=csv&single=true&$<sheet>',
  },
  {
    page: 'the editor of a Google sheet',
    pattern: RegExp(`${google}(?!e/)(?<id>[\\w-]+)(?!.*(?:format=|out:)[ct]sv)${sheet}`),
    right: 'https://docs.google.com/spreadsheets/d/$<id>/export?format=csv&$<sheet>',
    needs: 'share the sheet with everyone who has the link, or publish it to the web as CSV',
  },
  {
    page: 'a page of Google Calendar',
    pattern:
      /^https:\/\/calendar\.google\.com\/calendar\/(?!ical\/)(?:.*[?&](?:src|cid)=(?<id>[^&#]+(?:@|%40)[^&#]+))?.*$/,
    right: 'https://calendar.google.com/calendar/ical/$<id>/public/basic.ics',
    needs: 'make the calendar public',
    advice: 'make the calendar public, and use the "Public address in iCal format" of its settings',
  },
  {
    page: 'a page of Outlook',
    pattern:
      /^(?!.*\.ics)(?:(?<folder>https:\/\/outlook\.\w+\.com\/(?:owa\/)?calendar\/.*\/)\w+\.html|https:\/\/outlook\.\w+\.com\/).*$/,
    right: '$<folder>calendar.ics',
    advice: 'publish the calendar (Settings, Calendar, Shared calendars), and use the ICS link',
  },
  {
    page: 'a page of iCloud',
    pattern: /^https:\/\/(?:www\.)?icloud\.com\//,
    advice: 'share the calendar as Public Calendar, and use that address, with https instead of webcal',
  },
  {
    page: 'a page of Meetup',
    pattern: /^https:\/\/(?:www\.)?meetup\.com\/(?:[a-z]{2}-[A-Z]{2}\/)?(?<group>[^/?#]+)(?!.*\/ical\b).*$/,
    right: 'https://www.meetup.com/$<group>/events/ical/',
  },
  {
    page: 'a page of Luma',
    pattern: /^https:\/\/(?:www\.)?(?:lu\.ma|luma\.com)\/(?:calendar\/(?:manage\/)?(?<id>cal-\w+))?.*$/,
    right: 'https://api.lu.ma/ics/get?entity=calendar&id=$<id>',
    advice: 'use the address behind "Add iCal Subscription" on the page of the calendar',
  },
  {
    page: 'a page of Nextcloud',
    pattern: /^(?<base>https:\/\/[^?#]+?)(?:\/index\.php)?\/apps\/calendar\b(?:\/(?:p|embed)\/(?<token>\w+))?.*$/,
    right: '$<base>/remote.php/dav/public-calendars/$<token>?export',
    advice: 'share the calendar by a link, and use its subscription link',
  },
  {
    page: 'a page of Nextcloud',
    pattern: /^(?<folder>https:\/\/[^?#]+\/remote\.php\/dav\/public-calendars\/\w+)\/?$/,
    right: '$<folder>?export',
  },
];

/** Returns the problem of the address of a page for people instead of a calendar or table, or null. */
export function findPageAddress(found: string) {
  // Google writes the id of a calendar in Base64.
  const address = found.replace(
    /\bcid=(\w{12,})=*(?=&|$)/,
    (_, id: string) => `cid=${encodeURIComponent(Buffer.from(id, 'base64').toString())}`,
  );
  for (const { page, pattern, right = '', ...rest } of pages) {
    const match = pattern.exec(address);
    if (match === null) continue;
    const isComplete = right !== '' && Object.values(match.groups ?? {}).every((part) => part !== undefined);
    const proposal = isComplete ? address.replace(pattern, right).replace(/&$/, '') : null;
    return { code: 'page-address', found, page, proposal, needs: null, advice: 'fix it', ...rest } as const;
  }
  return null;
}
