import { count, period, plural, quote, shorten, unicode } from './text.ts';

const idRule = `lower-case letters a-z,
    digits and single hyphens between them,
    at most 64 characters`;
const datedForms = `2027-03-04 (only a date),
    or 2027-03-04T20, T20:00 or T20:00:30
    with a zone, Z or an offset such as -05:00`;

/** What is wrong with a start that has this form. */
const startHints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/\d{4}-\d\d?-\d.*\d{4}-\d|\.\d{4}.*\.\d{4}/, 'write the last day as "ends"; '],
  [/^\d\d?\/\d\d?\/\d{4}$/, 'it has two readings; '],
  [/T24/, 'midnight is T00:00 of the next day; '],
];

const sheetRemedy = 'save the sheet as CSV and import that with almanac import';
const strayRemedy = `rename it,
    move it out of the data folder,
    remove it,
    or put a dot before its name to ignore it`;

const howToWrite: Readonly<Record<string, string>> = {
  'a string': 'text in quotation marks',
  'a boolean': 'true or false without quotation marks',
  'a number': 'digits without quotation marks',
  'an array': 'a list in square brackets',
  'an object': 'keys and values in curly brackets',
  'a string or an object': `text in quotation marks,
    or keys and values in curly brackets`,
};

type SecretAddress = Address & Proposal & { key: string | null };
type Found = { found: string };
type Expected = { expected: string };
type Key = { key: string };
type Length = { length: number };
type FirstLine = { firstLine: number };
type Path = { path: string };
type Site = { site: string };
type Url = { url: string };
type Address = { address: string };
type Title = { title: string };
type Column = { column: string };
type Names = { names: readonly string[] };
type Events = { events: number };
/** An id that something else has too. */
type Twice = { id: string; other: string };
/** A folder that another process changes. */
type Lock = { folder: string; owner: string };
type RowSize = { cells: number; columns: number };
/** The offsets from UTC that clocks of a zone show at a time. */
type Offsets = Found & { zone: string; offsets: readonly string[] };
type Proposal = { proposal: string | null };
type Reason = { reason: string };
type Failure = Path & Reason;
/** A value that is not what its key expects. */
type Mismatch = Key & Expected & Found;
type DateReading = { readonly order: string; readonly date: string };
type DateReadings = { readings: readonly DateReading[] };
type UnmappedColumns = {
  file: string;
  isMapped: boolean;
  columns: readonly string[];
  proposals: readonly string[];
};
type MissingColumn = Column &
  Names & {
    required: readonly string[];
    namesake: string | null;
    nearest: string | null;
  };
type NoDates = Names & {
  column: string | null;
  cells: readonly string[];
  reason: string | null;
};
type BadRows = Found & {
  rows: string;
  proposals: readonly { path: string; count: number }[];
};
type UnclearStart = {
  columns: readonly string[];
  epoch: { column: string; cell: string; date: string } | null;
};
type UnclearStatus = {
  column: string;
  cells: readonly string[];
  rows: number;
  field: 'hidden' | 'published';
};
type Name = { name: string };
type Most = { most: number };
type Choice = { nearest: string | null; allowed: readonly string[] };
type Size = {
  host: string;
  what: string;
  found: number;
  source: string;
};
type Times = Site & { time: string; now: string };
/** Where a subject declares its former ids, by what it comes from. */
const formerlyPlaces = {
  file: () => 'its file',
  calendar: (subject: string) => `${subject}.json next to its calendar`,
  table: () => 'the mapping of its table',
  'remote-table': () => 'its .source.json',
};
type Rename = {
  what: 'genre' | 'subject';
  old: string;
  new: string;
  origin: 'genre' | keyof typeof formerlyPlaces;
};
type PageAddress = Found & {
  page: string;
  proposal: string | null;
  needs: string | null;
  advice: string;
};
type Drop = {
  what: string;
  before: number;
  after: number;
  vanished: readonly string[];
};

function readingText({ order, date }: DateReading): string {
  return `"dates": ${quote(order)} reads it as ${date}`;
}

/** The reason is the whole sentence. */
function reasonOnly({ reason }: Reason): string {
  return reason;
}

/** The option that says what a column is. */
function option(column: string, field: string): string {
  return `--column ${JSON.stringify(`${column}=${field}`)}`;
}

/** The number of equal problems in a file, besides the first. */
function moreInFile(number: number, state: string): string {
  if (number === 0) return '';
  return ` (${count(number)} more in this file
    ${number === 1 ? 'is' : 'are'} ${state})`;
}

/** The right value as a question or, if it cannot be guessed, what to do. */
function didYouMean(proposal: string | null, remedy: string): string {
  return proposal === null ? remedy : `did you mean ${quote(proposal)}?`;
}

/**
 * The sentence for each problem code: found X; expected Y; do Z. The argument of a sentence
 * declares the fields that a problem of this code has.
 */
export const wording = {
  // The data folder and its files
  'data-missing': ({ folder, catalogue }: { folder: string; catalogue: string | null }) => {
    const place = catalogue === null ? 'DIR' : quote(catalogue);
    return `found no folder ${quote(folder)};
      name the folder that holds service.json
      with --data ${place},
      run this in the folder above it,
      or create a catalogue with almanac init`;
  },
  'missing-file': ({ name, holds }: Name & { holds: string }) =>
    `found no ${name};
    this folder needs one;
    add a file ${name} with ${holds}`,
  'stray-file': ({ kind, name, allowed }: Name & { kind: string; allowed: string }) =>
    `found the ${kind} ${quote(name)},
    which is not part of the format;
    ${allowed};
    ${/\.(?:xlsx?|ods|numbers)$/i.test(name) ? sheetRemedy : strayRemedy}`,
  'bad-name': ({ name, proposal = null }: Name & Partial<Proposal>) =>
    `found the name ${quote(name)};
    expected ${idRule},
    and no name that Windows reserves,
    such as con;
    rename it${proposal === null ? '' : ` to ${quote(proposal)}`}`,
  'symbolic-link': ({ name }: Name) =>
    `found a symbolic link ${quote(name)};
    expected a regular file or folder;
    replace the link with the file itself`,
  'unreadable-file': ({ reason }: Reason) => `could not be read: ${reason};
    fix that or remove it`,
  'too-large-to-explain': ({ length, most }: Length & Most) =>
    `found a problem in a file
    of ${count(length)} characters;
    almanac can locate problems only
    in files of at most ${count(most)};
    split it into several subjects`,
  'more-problems': ({ most }: Most) =>
    `found more than ${count(most)}
    problems in this file;
    only the first ${count(most)} are listed;
    fix those and run this again`,

  // JSON
  'not-utf8': ({ looksLike }: { looksLike: string }) =>
    `found ${looksLike};
    expected UTF-8;
    save the file in this encoding`,
  'invalid-json': ({ found: text, remedy }: Found & { remedy: string }) =>
    `${text}; expected valid JSON; ${remedy}`,
  'nested-too-deep': ({ most }: Most) =>
    `found brackets nested deeper
    than ${most} levels;
    the format needs three;
    remove the nesting`,
  'duplicate-key': ({ key, firstLine }: Key & FirstLine) =>
    `found the key ${quote(key)} twice
    (first on line ${firstLine});
    expected it once;
    remove one of the two`,
  'wrong-type': ({ key, expected, found: text }: Mismatch) => {
    const isListOfSubjects = key === 'the file' && text === 'an array';
    const form = isListOfSubjects ? 'a file for each subject' : (howToWrite[expected] ?? 'one');
    return `found ${text} for ${key};
      expected ${expected};
      write ${form}`;
  },
  'missing-key': ({ key, required }: { required: readonly string[] } & Key) =>
    `found no ${quote(key)};
    required here: ${required.join(', ')};
    add it`,
  'unknown-key': ({ key, nearest, allowed }: Key & Choice) => {
    const extra = allowed.includes('extra')
      ? `, or make it a field of your own:
        "extra": {${quote(key)}: …}`
      : '';
    return `found the unknown key ${quote(key)};
      expected one of ${allowed.join(', ')};
      ${didYouMean(nearest, `remove it${extra}`)}`;
  },
  'bad-extra': ({ key, found: text, expected }: Mismatch) =>
    `found ${shorten(text)} for ${quote(key)};
    expected ${expected};
    fix it or remove it`,
  'events-beside-calendar': ({ calendar }: { calendar: string }) =>
    `found "events", but the events
    of this subject come from the calendar
    ${quote(calendar)} next to this file;
    expected only name and url;
    move the events into the calendar,
    or remove the calendar`,

  // Texts, addresses and ids
  'empty-text': ({ key }: Key) =>
    `found an empty ${key};
    expected at least 1 character;
    fill it in`,
  'text-too-long': ({ key, length, most }: Key & Length & Most) =>
    `found ${count(length)}
    characters in ${key};
    expected at most ${count(most)};
    shorten it`,
  'outer-white-space': ({ key, found: text }: Key & Found) =>
    `found white space around
    ${key} ${quote(text)};
    expected none at its start or end;
    remove it`,
  'control-character': ({ key, codePoint }: { codePoint: number } & Key) =>
    `found the control character
    ${unicode(codePoint)} in ${key};
    expected none;
    remove it`,
  'lone-surrogate': ({ key, codePoint }: { codePoint: number } & Key) =>
    `found the lone surrogate
    ${unicode(codePoint)} in ${key},
    which is half a character;
    write the whole character`,
  'bad-value': ({ key, found: text, expected, proposal }: Mismatch & Proposal) =>
    `found ${key} ${quote(text)};
    expected ${expected};
    ${didYouMean(proposal, `fix it or remove ${key}`)}`,
  'incomplete-place': ({ found: text, missing }: Found & { missing: string }) =>
    `found ${text} without ${missing};
    a place needs its name,
    and both coordinates or neither;
    add ${missing}, or remove ${text}`,
  'bad-base-url': ({ found: text, from }: Found & { from: string }) => {
    const isHost = /^[\w-]+(?:\.[\w-]+)+(?:[:/][\w./-]*)?$/.test(text);
    const expected = `expected an http or https address
      of at most 2,000 characters
      without a query, fragment, user name,
      white space, quotation mark, bracket,
      $ or ;, not even percent-encoded,
      such as https://example.org/almanac`;
    return `found the base URL
      ${quote(text)} in ${from};
      ${isHost ? `did you mean https://${text}?` : expected}`;
  },
  'base-url-missing': () =>
    `found no base URL;
    give the address that the site will
    be served from with --base-url URL,
    the variable BASE_URL,
    or "base_url" in service.json`,
  'base-url-local': ({ baseUrl }: { baseUrl: string }) =>
    `found the base URL ${quote(baseUrl)},
    which only this machine can reach;
    give the address that the site will
    be served from: --base-url URL,
    the variable BASE_URL,
    or "base_url" in service.json`,
  'base-url-repository': ({ baseUrl }: { baseUrl: string }) =>
    `found the base URL ${quote(baseUrl)},
    which is a page of GitHub, not a site;
    give the address
    that the site will be served from,
    such as https://OWNER.github.io/REPOSITORY`,
  'too-many-entries': ({ key, length, most }: Key & Length & Most) =>
    `found ${count(length)} ${key};
    expected at most ${count(most)};
    remove some`,
  'unknown-in-collection': ({
    what,
    found: text,
    nearest,
  }: { what: string; nearest: string | null } & Found) =>
    `found the ${what} ${quote(text)};
    expected the id of one that
    exists${what === 'subject' ? ', as {genre}/{subject}' : ''};
    ${didYouMean(nearest, 'fix it or remove it')}`,
  'too-many-tags': ({ most }: Most) =>
    `found more than ${count(most)} tags
    in the catalogue;
    expected at most that many;
    remove some, or the categories
    of calendars that give them`,
  'folder-missing': ({
    what,
    path,
    nearest,
    remedy,
  }: {
    what: 'genre' | 'subject';
    path: string;
    nearest: string | null;
    remedy: string;
  }) =>
    `found no ${what} ${quote(path)};
    ${nearest === null ? '' : `did you mean ${quote(nearest)}? Otherwise `}${remedy}`,
  'bad-issue': reasonOnly,
  'former-id-exists': ({ id }: { id: string }) =>
    `${quote(id)} is listed under
    "formerly" but is also in use;
    remove it from "formerly",
    or rename the one that uses it`,
  'former-id-twice': ({ id, other }: Twice) =>
    `found the former id ${quote(id)} twice
    (first in ${other});
    remove one of the two, because an old
    address can redirect to one page only`,
  'perhaps-renamed': ({ what, old, new: next, origin }: Rename) => {
    const subject = next.slice(next.indexOf('/') + 1);
    const isTable = origin === 'table' || origin === 'remote-table';
    const formerly = isTable ? `{"${subject}": ["${old}"]}` : `["${old}"]`;
    const place = origin === 'genre' ? 'its genre.json' : formerlyPlaces[origin](subject);
    return `found the new ${what} ${quote(next)},
      and no ${quote(old)} any more;
      if they are the same, put "formerly":
      ${formerly} into ${place}, so that links
      and subscriptions keep working`;
  },
  'empty-slug': ({ title }: Title) =>
    `found the title ${quote(title)}, which has
    no letter a-z or digit to make an id from;
    add an "id"`,
  'duplicate-id': ({ id, firstLine, proposal }: { id: string } & FirstLine & Proposal) =>
    `found the event id ${quote(id)} twice
    (first on line ${firstLine});
    ids must be unique within a subject;
    ${
      proposal === null
        ? `give one of the two events another id,
          which is its UID in a calendar`
        : `give this event its own "id", such as ${quote(proposal)}`
    }`,
  'genre-collision': ({ id, other }: Twice) =>
    `found the public genre id ${quote(id)}
    twice (first from ${other});
    a public id is {genre folder}-{category
    folder} and must be unique;
    rename one of the two folders`,
  'subject-twice': ({ id, other }: Twice) =>
    `found the subject ${quote(id)} twice
    (first from ${other});
    expected one file for each subject,
    except that {subject}.json may give
    the name and url of {subject}.ics;
    keep one of the two`,
  'table-twice': ({ id, other }: Twice) =>
    `found two tables of the name ${quote(id)}
    (the other is ${other}), which would
    share ${quote(`${id}.columns.json`)};
    rename one of the two`,
  'subject-collision': ({ name, id, other, firstLine }: Name & Twice & FirstLine) =>
    `found the subject ${quote(name)},
    whose id ${quote(id)} is also the id
    of ${quote(other)}
    (first on line ${firstLine});
    write both names the same way,
    or make them differ in a letter or digit`,
  'no-subject-id': ({ name, id, most }: Name & { id: string } & Most) =>
    `found the subject ${quote(name)},
    which gives
    ${
      id === ''
        ? 'no id, because it has no letter a-z or digit'
        : `an id of ${id.length} characters`
    };
    expected an id of 1 to ${most} characters;
    choose another name, with --name
    for almanac import, or give the id
    in a column subject_id of the table`,

  // Dates and times
  'bad-starts': ({ found: text, proposal }: Found & Proposal) => {
    const start = `found starts ${quote(text)};`;
    if (proposal !== null) return `${start} did you mean ${proposal}?`;
    const [, hint = ''] = startHints.find(([pattern]) => pattern.test(text)) ?? [];
    return `${start} ${hint}expected ${datedForms},
      or 2027-03, 2027-Q2, 2027-H1,
      2027 (announced, not dated)`;
  },
  'bad-ends': ({ found: text, proposal }: Found & Proposal) => {
    const expected = `expected ${datedForms},
      or 22:30 (a time on the same day)`;
    const remedy = proposal === null ? expected : `did you mean ${proposal}?`;
    return `found ends ${quote(text)}; ${remedy}`;
  },
  'ends-before-starts': ({
    found: text,
    starts,
    proposal = null,
  }: Found & Partial<Proposal> & { starts: string }) =>
    `found the end ${quote(text)}, which
    is before the start ${quote(starts)};
    ${didYouMean(proposal, 'fix one of the two')}`,
  'ends-imprecise': ({ found: text, starts }: Found & { starts: string }) =>
    `found the end ${quote(text)},
    which is not as precise
    as the start ${quote(starts)};
    give both as dates, or both as times`,
  'ends-announced': ({ found: text, announced }: Found & { announced: string }) =>
    `found ends ${quote(text)} for an event
    that is announced for ${quote(announced)};
    an event without a date has no end;
    remove ends, or write the date`,
  'no-such-date': ({ key, found: text }: Key & Found) =>
    `found ${key} ${quote(text)},
    a date that does not exist;
    fix the date`,
  'year-out-of-range': ({ key, found: text }: Key & Found) =>
    `found ${key} ${quote(text)};
    expected a year from 1900 to 2999;
    fix the year`,
  'zone-missing': ({ found: text, isImported = false }: Found & { isImported?: boolean }) =>
    `found the clock time ${quote(text)}
    without a zone;
    ${
      isImported
        ? 'say the zone of the rows, as in --zone Europe/Berlin,'
        : 'add "zone" such as "Europe/Berlin",'
    }
    or write Z or an offset after the time`,
  'unknown-zone': ({ found: text, nearest }: Found & { nearest: string | null }) => {
    const isOffset = /^[+-]\d/.test(text);
    const offsetRemedy = `write an offset after the time instead,
      as in 2027-03-04T20:00+01:00`;
    const remedy = isOffset ? offsetRemedy : didYouMean(nearest, 'fix it');
    return `found the zone ${quote(text)};
      expected UTC or a case-sensitive name
      with a slash from the IANA time zone
      database, such as America/New_York;
      ${remedy}`;
  },
  'skipped-time': ({ found: text, zone }: Found & { zone: string }) =>
    `found ${quote(text)}, a time that clocks
    in ${zone} skip on that day;
    write a time that exists then`,
  'repeated-time': ({ found: text, zone, offsets }: Offsets) =>
    `found ${quote(text)}, a time that clocks
    in ${zone} show twice on that day;
    add the intended offset:
    ${offsets.map((offset) => text + offset).join(' or ')}`,
  'offset-conflict': ({ found: text, zone, offsets }: Offsets) =>
    `found ${quote(text)},
    but clocks in ${zone}
    are at ${offsets.join(' or ')} then;
    write
    ${offsets.length === 1 ? 'that offset' : 'one of these offsets'},
    another zone, or no zone`,
  'all-past': ({ events }: Events) =>
    `${events === 1 ? 'its only event is over' : `all ${count(events)} events are over`};
    add the next one, or remove the file`,
  'announcement-past': ({ found: text, others: more }: Found & { others: number }) =>
    `found starts ${quote(text)},
    an announcement without
    a date whose period is over;
    write the date
    or another period, or remove
    the event${moreInFile(more, 'over too')}`,
  'year-behind': ({ found: text, year }: Found & { year: number; others: number }) =>
    `starts ${quote(text)} is years before
    the other events of this subject;
    did you mean ${year}?
    If the event is over, remove it`,
  'far-ahead': ({ found: text, others: more }: Found & { others: number }) =>
    `found starts ${quote(text)},
    more than five years after now
    and after the other events;
    fix the year if it is a typo;
    if it is right,
    confirm it with "far_ahead":
    true (in a table: a column
    far_ahead)${moreInFile(more, 'as far ahead')}`,

  // Calendars
  'not-a-calendar': ({ found: text }: Found) =>
    `found ${text};
    expected a calendar,
    from BEGIN:VCALENDAR to END:VCALENDAR;
    export it again,
    or check what its address returns`,
  'old-calendar': () =>
    `found vCalendar (VERSION:1.0);
    expected iCalendar (VERSION:2.0);
    export the calendar as iCalendar`,
  'calendar-nesting': ({ found: text, open, firstLine }: Found & { open: string } & FirstLine) =>
    `found
    ${text === '' ? 'the end of the file' : quote(text)}
    while ${open} from line
    ${firstLine} is still open;
    every BEGIN needs its END;
    the file may be cut off, so fetch it again`,
  'private-events': ({ events }: Events) =>
    `left out ${plural(events, 'upcoming event')}
    that the calendar marks as private
    or confidential (CLASS);
    add "private": true to publish them,
    or false to leave them out
    without this warning,
    to the .json file next to the calendar
    or to the .source.json file`,
  'not-published': ({ names }: Names) =>
    `ignored calendar properties:
    ${shorten(names.join(', '))}`,
  'passed-over': ({ names }: Names) =>
    `passed over, as they are no events
    to publish: ${names.join(', ')}`,
  'event-without-start': ({ title }: Title) =>
    `found
    ${title === '' ? 'an event' : `the event ${quote(title)}`}
    without DTSTART;
    every event needs one;
    add it or remove the event`,
  'events-left-out': ({ events }: Events) =>
    `left out ${plural(events, 'event')}
    that cannot be read;
    the first reasons are reported too`,
  'values-left-out': ({ names }: Names) =>
    `left out ${shorten(names.join(', '))};
    their events are published without them;
    fix the values`,
  'bad-calendar-value': ({ found: text, reason }: Found & Reason) =>
    `found ${quote(text)}: ${reason}; fix the value`,
  'bad-recurrence': ({ found: text, reason }: Found & Reason) =>
    `found the recurrence rule ${quote(text)},
    which cannot be expanded: ${reason};
    fix the rule`,
  'bad-repeat': ({ found: text, reason, proposal }: Proposal & Found & Reason) =>
    `found the repetition
    ${quote(text)}: ${reason};
    expected a rule
    such as FREQ=WEEKLY;UNTIL=2027-06-30
    or FREQ=MONTHLY;BYDAY=1TU;COUNT=12;
    ${didYouMean(proposal, 'fix it')}`,
  'too-many-events': ({ most }: Most) =>
    `found more than ${count(most)}
    events up to here;
    expected at most that many
    in one calendar;
    split it into several`,
  'too-many-occurrences': ({ most }: Most) =>
    `found more than ${count(most)} occurrences
    of repeating events up to here;
    expected at most that many within
    two years in one calendar;
    end the rule, or repeat less often`,
  'recurrence-too-long': ({ most }: Most) =>
    `found recurrence rules that take more
    than ${count(most)} steps
    to expand up to here;
    let the rule start later,
    end, or repeat less often`,
  'repeated-uid': ({ uid, firstLine }: { uid: string } & FirstLine) =>
    `found the UID ${quote(uid)} twice
    (also on line ${firstLine})
    with one DTSTART or RECURRENCE-ID;
    left out this event;
    give it its own UID, or remove it`,
  'duplicate-uid': ({ uid, firstLine }: { uid: string } & FirstLine) =>
    `found the UID ${quote(uid)} twice
    (first on line ${firstLine})
    with different DTSTARTs;
    a UID identifies one event;
    give this event its own UID
    or a RECURRENCE-ID`,

  // Tables
  'bad-table': ({ reason }: Reason) => `found ${reason}`,
  'bad-document': reasonOnly,
  'template-text': ({ key }: Key) =>
    `found {{ or {% in ${quote(key)},
    which only a site generator can fill;
    the value is left out;
    write the text itself`,
  'repeated-key': ({ key, firstLine }: Key & FirstLine) =>
    `found the key ${quote(key)} twice
    in one map (first on line ${firstLine});
    the second one counts;
    remove the other`,
  'missing-column': ({ column, required, names, namesake, nearest }: MissingColumn) => {
    const first = shorten(names.map(quote).join(', ')) || 'none';
    const start = `found no column ${quote(column)};
      the first line names ${first}`;
    const remedy = `the mapping names that column;
      correct one of the two`;
    if (!required.includes(column))
      return `${start};
        ${didYouMean(nearest, remedy)}`;
    if (namesake === null)
      return `${start};
        expected ${required.join(', ')};
        add it, or say in "columns"
        of the mapping which one it is`;
    return `${start}, but the mapping does
      not say what ${quote(namesake)} is;
      add ${quote(namesake)}: ${quote(column)}
      to "columns"`;
  },
  'used-and-ignored': ({ column, file }: { file: string } & Column) =>
    `found the column ${quote(column)} both
    in use and in "ignore";
    expected one of the two,
    because an ignored column is never read;
    remove it from one in ${file}`,
  'hours-left-out': ({ found: text }: Found) =>
    `left out the hours ${quote(text)}
    of a range of dates,
    because a range has none;
    write an event for each day,
    or the hours into the title or description`,
  'repeated-column': ({ column }: Column) =>
    `found the column ${quote(column)} twice;
    expected it once;
    rename or remove one of the two`,
  'repeated-row': ({ firstLine }: FirstLine) =>
    `found a row with the same content
    as the one on line ${firstLine};
    remove one of the two`,
  'ragged-row': ({ cells, columns }: RowSize) =>
    `found a row of ${plural(cells, 'cell')};
    the first line names
    ${count(columns)} columns;
    give every row that many cells,
    and put text that contains
    a separator in quotation marks`,
  'no-json-ld': ({ scripts }: { scripts: number }) =>
    `found
    ${scripts === 0 ? 'a page without JSON-LD' : 'JSON-LD without an event'};
    expected events of schema.org
    in <script type="application/ld+json">;
    look for them on other pages
    of this site, or for its calendar (.ics)`,
  'unknown-term': ({ key, term }: { term: string } & Key) =>
    `found the ${key} ${quote(term)},
    which schema.org does not have;
    published the event
    ${key === 'eventStatus' ? 'as confirmed; check whether it takes place' : 'without it'}`,
  'schedule-left-out': ({ title, reason }: Title & Reason) =>
    `left out the eventSchedule
    of ${quote(title)}: ${reason};
    only its startDate counts`,
  'too-many-references': ({ most }: Most) =>
    `found more than ${count(most)}
    references to objects by their @id;
    expected fewer;
    fetch a page with fewer events`,
  'bad-json-ld': () =>
    `found JSON-LD that is not JSON;
    its events are left out;
    report it to the owner of the page`,
  'unmapped-columns': ({ columns, proposals, file, isMapped }: UnmappedColumns) => {
    const mappingRemedy = `${file} does not name them,
      so they are not read;
      add each to "columns" or "ignore"`;
    const plainRemedy = `every column must be one of ours,
      mapped or ignored;
      let almanac import guess a mapping, or add
      each to "columns" or "ignore" in ${file}`;
    const names = proposals.map(quote).join(', ');
    const question = names === '' ? '' : `; did you mean ${names}?`;
    return `found unknown columns:
      ${shorten(columns.map(quote).join(', '))};
      ${isMapped ? mappingRemedy : plainRemedy}${question}`;
  },
  'similar-subjects': ({ names }: Names) =>
    `found the subjects
    ${names.map(quote).join(', ')},
    which look like spellings of one;
    write them the same way, or give
    each row the id in a column subject_id`,
  'no-dates': ({ names, column, cells, reason }: NoDates) => {
    const verdict = cells.length === 1 ? 'is no date' : 'are no dates';
    const doubt =
      reason === null
        ? `${cells.map(quote).join(', ')}
          ${verdict} with day, month and year`
        : `it has ${quote(cells[0] ?? '')}${reason}`;
    return `found no column of dates;
      this line is read
      as the names of the columns:
      ${shorten(names.map(quote).join(', '))};
      ${column === null ? 'none of them has dates' : `${quote(column)} is closest, but ${doubt}`};
      correct the cells, or name another
      column, as in --column Datum=starts`;
  },
  'unclear-start': ({ columns, epoch }: UnclearStart) => {
    const { column = '', cell = '', date = '' } = epoch ?? {};
    const unit = cell.length > 10 ? 'milliseconds' : 'seconds';
    const numbers = `;
      ${quote(column)} counts ${unit}
      since 1970 (${cell} is ${date})`;
    return `found dates in
      ${columns.map(quote).join(', ')}${epoch === null ? '' : numbers};
      no name says that it is the start
      of the events;
      say which one is, as in
      ${option(columns[0] ?? '', 'starts')}`;
  },
  'unclear-days': ({ start, column }: Record<'start' | 'column', string>) =>
    `found rows that have ${quote(column)}
    and no ${quote(start)};
    where rows have both,
    they are different days;
    say whether it is the day of these rows:
    ${option(start, 'starts')}
    ${option(column, 'starts')},
    or ${option(column, '')} to leave them out`,
  'unclear-zone': ({ column, word }: Record<'column' | 'word', string>) =>
    `found ${quote(word)} in the name
    of the column ${quote(column)};
    expected a time zone with one meaning;
    say which one it is,
    as in --zone Europe/London`,
  'unclear-title': ({ columns }: { columns: readonly string[] }) => {
    const [first = 'What', ...rest] = columns;
    const candidates = shorten(rest.map(quote).join(', '));
    const more = rest.length === 0 ? '' : `; others are ${candidates}`;
    return `found no column whose name says
      that it is the title;
      say which one is,
      as in ${option(first, 'title')}${more}`;
  },
  'unnamed-column': ({ found: text }: Found) =>
    `found a column without a name,
    which has ${quote(text)};
    write its name above it,
    such as Title or Date`,
  'unclear-status': ({ column, cells, rows, field }: UnclearStatus) =>
    `found ${cells.map(quote).join(', ')}
    in the column ${quote(column)}
    (${plural(rows, 'row')}),
    which may mean that an event is off
    or not for the public;
    correct the cells, or say what the column
    is: ${option(column, 'status')},
    ${option(column, field)}
    to leave out rows that say
    ${field === 'hidden' ? 'yes' : 'no'},
    or ${option(column, '')}
    to publish the rows without it`,
  'bad-event-line': () =>
    `found a line that is not an event
    as almanac publishes it;
    expected the lines of an events.ndjson;
    the event is left out`,
  'bad-rows': ({ found: text, rows, proposals }: BadRows) => {
    const lists = proposals.map(
      ({ path, count: rowCount }) => `"rows": ${quote(path)} (${rowCount})`,
    );
    const where = rows === '' ? 'as the document' : `at ${quote(rows)}`;
    const remedy =
      lists.length === 0
        ? `name the place of the list with "rows",
          such as "data.matches"`
        : `did you mean ${lists.join(' or ')}?`;
    return `found ${text} ${where};
      expected a list of objects;
      ${remedy}`;
  },
  'no-entries': ({ passedOver }: { passedOver: string }) =>
    passedOver === ''
      ? `found a folder without pages
        (.md, .mdx, .html) or files
        of data (.yml, .json, .toml);
        expected one file for each event;
        move it out of the data folder
        or remove it`
      : `found a folder without a page
        for an event (${passedOver});
        expected pages with front matter
        that are no drafts`,
  'several-languages': ({ languages }: { languages: readonly string[] }) =>
    `found events in several languages;
    expected one of ${languages.join(', ')};
    write the one to publish
    to the mapping, such as "lang":
    ${quote(languages[0] ?? '')}
    in a .columns.json beside the folder`,
  'two-times': ({ start, time }: Record<'start' | 'time', string>) =>
    `found the start ${quote(start)}
    and the time ${quote(time)},
    which contradict each other;
    write only the day as the start,
    or remove the time`,
  'no-day': ({ day }: { day: string }) =>
    `found
    ${day === '' ? 'no day' : `the day ${quote(day)}`},
    so the event is left out;
    write its day when it is known,
    or a month such as 2027-10`,
  'other-day': ({ start, day }: Record<'start' | 'day', string>) =>
    `found the start ${quote(start)}
    in a file whose name says ${day};
    the start counts;
    correct one of the two`,
  'bad-date': ({ found: text, dates, reason }: Found & { dates: string; reason: string | null }) =>
    `found the date
    ${quote(text)}${
      reason ??
      `; expected one in the order ${dates}
      of this table, one with the year first
      or one with the name of its month;
      fix the date, or "dates" in the mapping`
    }`,
  'bad-time': ({ found: text, reason }: Found & { reason: string | null }) =>
    `found the time
    ${quote(text)}${
      reason ??
      `; expected one such as 19:30,
      19.30 Uhr, 19h30 or 7:30 PM,
      or an empty cell;
      fix it`
    }`,
  'cut-off-table': ({ cells, columns }: RowSize) =>
    `found a last row
    of ${plural(cells, 'cell')}
    without a line end, where
    ${count(columns)} columns are named:
    the file ends in the middle;
    export or download it again`,
  'end-left-out': ({ found: text }: Found) =>
    `left out the end ${quote(text)},
    which is before the start
    unless it is in the afternoon;
    write it with AM or PM, or as in 17:00`,
  'error-value': ({ found: text }: Found) =>
    `found the error value ${quote(text)}
    of a spreadsheet,
    and read it as an empty cell;
    correct the formula
    and export the table again`,
  'link-as-place': () =>
    `left out an address in the place
    of a location, because links
    to meetings are not for the public;
    write the name of the place, or put
    a public address into a column "url"`,
  'unclear-dates': ({ found: text, readings, file }: Found & DateReadings & { file: string }) =>
    `found dates such as ${quote(text)},
    whose order is not named;
    ${readings.map(readingText).join(', ')};
    write
    ${readings.length === 1 ? 'that' : 'the right one'}
    to ${file}`,
  'skipped-rows': ({ rows, cells, repeated }: Record<'rows' | 'cells' | 'repeated', number>) => {
    const unreadable = [rows > 0 && plural(rows, 'row'), cells > 0 && plural(cells, 'cell')];
    const counts = [
      rows + cells > 0 &&
        `${unreadable.filter(Boolean).join(' and ')}
        that cannot be read`,
      repeated > 0 && plural(repeated, 'repeated row'),
    ];
    return `left out
      ${counts.filter(Boolean).join(', and ')};
      the reasons, at most three,
      are reported too`;
  },
  'mapping-without-table': ({ name, table }: Name & { table: string }) =>
    `found ${quote(name)}, which says how
    to read ${quote(table)},
    but no such table;
    rename one of the two, or remove this file`,
  'mapping-of-calendar': ({ keys }: { keys: readonly string[] }) =>
    `found ${keys.map(quote).join(', ')},
    which describe columns;
    only tables (csv, json) have columns;
    remove
    ${keys.length === 1 ? 'it' : 'them'}`,
  'bad-bytes': () =>
    `found bytes that are not UTF-8,
    and read each as the character \ufffd;
    save the file as UTF-8`,
  'guessed-encoding': () =>
    `found bytes that are not UTF-8,
    and read them as Windows-1252;
    if letters look wrong,
    save the file as UTF-8`,

  // Import
  'import-missing': ({ path, kinds }: { kinds: string } & Path) =>
    `found no file ${quote(path)};
    name the ${kinds} to import`,
  'import-exists': ({ path }: Path) =>
    `found an existing file ${quote(path)},
    which is no earlier import of this file;
    remove it,
    or name another genre with --into`,
  'import-twice': ({ path, name }: Path & Name) =>
    `found ${quote(path)},
    which probably has the same events;
    add --replace ${name}
    if this file replaces it,
    or --beside if the genre needs both`,
  'import-failed': ({ path, reason }: Failure) =>
    `could not write the files
    to ${quote(path)}: ${reason};
    none of them was kept`,

  // Remote sources
  'bad-source-file': ({ path, reason }: Failure) =>
    `found the file ${quote(path)},
    which cannot be read: ${reason};
    expected a path from the folder
    that holds the data folder,
    such as "_data/events.yml"`,
  'source-or-file': ({ format }: { format: string }) =>
    `found a source of the format
    ${quote(format)} that has an address
    and a file, or the wrong one of the two;
    expected "source" with an address,
    or "file" with a path of the repository
    (every format but almanac;
    only a folder is entries)`,
  'bad-source-url': ({ found: text }: Found) => {
    const isSimilar = /^(?:webcals?|http):\/\//i.test(text);
    const proposal = isSimilar ? text.replace(/^\w+/, 'https') : null;
    return `found the source ${quote(text)};
      expected an absolute address that begins
      with https:// (http only on this machine)
      and has no user name or password;
      ${didYouMean(proposal, 'fix it')}`;
  },
  'secret-address': ({ address, key, proposal }: SecretAddress) =>
    `found the source ${quote(address)},
    ${key === null ? 'the secret address of a calendar' : `whose ${quote(key)} is a secret`};
    expected an address
    that everyone may read;
    ${
      proposal === null ? 'use the public address' : `make the calendar public and use ${proposal}`
    }`,
  'key-in-address': ({ key }: Key) =>
    `found ${quote(key)} in the address
    of the source, which everyone
    who sees this file can read;
    check that it is not a secret`,
  'page-address': ({ found: text, page, proposal, needs, advice }: PageAddress) =>
    `found the source ${quote(text)},
    which is ${page};
    expected the address
    of the calendar or table itself;
    ${proposal === null ? advice : `use ${proposal}${needs === null ? '' : ` and ${needs}`}`}`,
  'page-answered': ({ isSignIn }: { isSignIn: boolean }) =>
    isSignIn
      ? `found an HTML page
        on which people sign in;
        expected a calendar or table;
        it is private;
        make it public or publish it,
        and use its public address`
      : `found an HTML page;
        expected a calendar or table;
        check what the address shows
        in a private window of a browser`,
  'source-failed': ({ url, reason, age }: { age: number | null } & Url & Reason) =>
    `could not use ${quote(url)}: ${reason};
    ${
      age === null
        ? 'there is no earlier copy, so its subject has no events'
        : `the last good copy, from ${period(age)} ago, stays in use`
    }`,
  'source-too-old': ({ url, age, most }: { age: number } & Url & Most) => {
    const isSame = period(age) === period(most);
    const old = `${isSame ? 'more than ' : ''}${period(age)} old`;
    return `found a copy of ${quote(url)} that is
      ${age < 0 ? `from ${period(-age)} in the future` : old};
      expected one at most ${period(most)} old;
      it stays in use;
      run almanac build --sync
      and fix the failure that it reports`;
  },
  'subject-left-out': ({ url, id, other }: Twice & Url) =>
    `left out the subject ${quote(id)}
    of ${quote(url)},
    which ${other} also defines;
    remove or rename one of them`,
  'event-twice': ({ pairs, ids }: Record<'pairs' | 'ids', readonly string[]>) =>
    `found ${plural(pairs.length, 'event')}
    that another file has too:
    ${shorten(pairs.join(', '))};
    expected each in one file,
    because nothing is merged;
    if they are the same,
    ${
      ids.length === 0
        ? 'remove one of the two'
        : `add "ignore_ids": ${JSON.stringify(ids)} to this file`
    }`,
  'source-left-out': ({ url, reason }: Url & Reason) =>
    `could not use the copy
    of ${quote(url)}: ${reason};
    its subject has no events
    until that is fixed`,
  'source-not-fetched': ({ url }: Url) =>
    `found no copy of ${quote(url)},
    so its subject has no events;
    run almanac build --sync`,
  'source-silent': ({ url, since }: { since: string } & Url) =>
    `found no events to come in ${quote(url)}
    since ${since.slice(0, 10)};
    expected some, as before;
    check that its owner still uses
    this address, or remove this file`,
  'data-busy': ({ folder, owner }: Lock) =>
    `another almanac (${owner}) is changing
    files in ${quote(folder)};
    nothing was added;
    run this again`,
  'sync-busy': ({ folder, owner }: Lock) =>
    `another almanac (${owner})
    is synchronising ${quote(folder)};
    wait until it ends and run this again`,
  'cache-failed': ({ path, reason }: Failure) =>
    `could not update the copies
    of remote sources:
    ${reason}${path === '' ? '' : ` at ${path}`};
    the existing copies are unchanged`,

  // Building
  'bad-now': ({ found: text }: Found) =>
    `found --now ${quote(text)};
    expected an instant with an offset,
    such as 2026-11-20T12:17:00Z`,
  'out-refused': ({ folder, reason }: { folder: string } & Reason) =>
    `refused to replace
    ${quote(folder)}: ${reason};
    name an empty or new folder,
    or one that almanac built, with --out DIR`,
  'public-name-taken': ({ name }: Name) =>
    `${quote(name)} is a name
    that almanac writes itself;
    rename it (only robots.txt
    and favicon.ico may replace ours)`,
  'public-name-invalid': ({ name }: Name) =>
    `found the name ${quote(name)};
    expected one for every disk: UTF-8,
    no control character, none of \\ : * ?
    " < > |, no dot or space at its end,
    not .git and no device of Windows;
    rename it`,
  'public-not-a-file': ({ name }: Name) =>
    `found ${quote(name)},
    which is a link, a pipe or a device;
    expected regular files and folders;
    put the file itself there`,
  'out-busy': ({ folder, owner }: Lock) =>
    `another almanac (${owner})
    is building ${quote(folder)};
    wait until it ends and run this again`,
  'write-failed': ({ path, reason }: Failure) =>
    `could not write
    ${path === '' ? 'to the disk' : quote(path)}:
    ${reason};
    existing files are unchanged`,
  'leftover-stays': ({ path, reason }: Failure) =>
    `could not remove ${quote(path)},
    which an earlier build left: ${reason};
    the new site is in place;
    remove the path by hand`,
  'site-not-flushed': ({ path, reason }: Failure) =>
    `the new site is in place,
    but may not survive a power loss:
    ${reason} at ${path};
    check the disk and build again`,
  'changes-not-written': ({ path, reason }: Failure) =>
    `could not write the changes
    to ${quote(path)}: ${reason};
    the new site is in place;
    name a writable file with --changes`,
  'changes-unreadable': ({ path, reason }: Failure) =>
    `could not read the changes
    in ${quote(path)}: ${reason};
    name the file that almanac
    build --changes wrote`,
  'not-delivered': ({ reason }: Reason) =>
    `the changes were not delivered: ${reason};
    check the address of the webhook,
    and send them again`,
  'address-refused': ({ address, reason }: Address & Reason) =>
    `could not listen on ${address}: ${reason};
    choose another with --port or --host,
    or use --port 0 for any free port`,
  'watch-refused': ({ folder, setting }: { folder: string; setting: string }) =>
    `the system refuses to watch
    more folders, so some changes
    in ${quote(folder)} go unnoticed;
    raise the limit, for example with sudo
    sysctl ${setting}, and start this again`,

  // Hosts
  'site-too-large': ({ host, what, found: text, most, source }: Size & Most) =>
    `found a site of ${count(text)} ${what};
    ${host} accepts at most
    ${count(most)} (${source});
    publish fewer genres or categories,
    leave out some formats ("formats"
    in service.json), or choose another host`,
  'site-path-refused': ({
    site,
    host,
    character,
  }: {
    site: string;
    host: string;
    character: string;
  }) =>
    `found
    ${unicode(character.codePointAt(0) ?? 0)}
    ${quote(character)} in ${quote(site)},
    the path of the site;
    a configuration of ${host}
    cannot name such a folder;
    put the site elsewhere with --out DIR`,
  'unknown-host': ({ found: text, nearest, allowed }: Found & Choice) => {
    const question = nearest === null ? '' : `; ${didYouMean(nearest, '')}`;
    return `found the host ${quote(text)};
      expected one
      of ${allowed.join(', ')}${question}`;
  },
  'host-not-written': ({ path, reason }: Failure) =>
    `could not write the files for the host
    to ${quote(path)}: ${reason};
    name a writable folder with --to DIR`,
  'host-file-edited': () =>
    `the file differs from what
    this command would write;
    write into another folder
    with --to and merge by hand,
    or replace it with --force`,

  // Reading, verifying and comparing a site
  'site-missing': ({ site }: Site) =>
    `found no site at ${quote(site)};
    a site has a file files.json;
    build one with almanac build,
    or name the folder or address of one`,
  /** `status` is the HTTP status that a host answered with. */
  'site-unreadable': ({ path, reason, status }: { status?: number } & Failure) =>
    `could not read ${quote(path)}: ${reason};
    ${unreadableAdvice(path, status)}`,
  'previous-site-missing': ({ site }: Site) =>
    `found no site at ${quote(site)};
    expected the one that this build continues;
    if nothing is published there yet,
    build with --against none;
    otherwise the host may be failing:
    try again later`,
  'previous-site-damaged': ({ path, reason }: Failure) =>
    `could not use ${quote(path)}: ${reason};
    nothing of the previous site is compared,
    so every event counts as changed now;
    this build repairs the site`,
  'previous-site-mixed': ({ site, path }: Site & Path) =>
    `found mixed versions of the site
    at ${quote(site)}: ${path}
    is not the one that files.json lists,
    perhaps because a cache ignores queries;
    its log is continued, but no event
    is compared, so the log may lack changes;
    build again when the cache has expired`,
  'log-of-the-future': ({ site, entries }: { entries: number } & Site) =>
    `left out
    ${entries === 0 ? 'the beginning' : plural(entries, 'entry')}
    of the log at ${quote(site)},
    later than the time of this build;
    if a wrong clock did not write this,
    check who can write to that host`,
  'previous-site-version': ({
    site,
    generator,
    version,
  }: {
    site: string;
    generator: string;
    version: string;
  }) =>
    `found a site of ${generator}
    at ${quote(site)};
    this is ${version}: the fields
    that both versions have are compared;
    build with the newer
    of the two from now on`,
  'clock-behind': ({ site, time, now }: Times) =>
    `found ${time} in the site
    at ${quote(site)}, which is later
    than the time of this build, ${now};
    correct the clock;
    only if that site was built
    with a wrong one, start a new log
    in place of its log with --against none`,
  'clock-differs': ({ site, time, now }: Times) =>
    `found the time ${time}
    at the host of ${quote(site)},
    and ${now} on this machine;
    correct the clock,
    or give the time with --now`,
  'clock-ahead': ({ site, time, now, events }: Times & Events) =>
    `refused: ${count(events)} upcoming events
    of the site at ${quote(site)}
    of ${time} would be over
    by the time of this build, ${now};
    correct the clock or, if it is right,
    build once with --accept-loss`,
  'site-of-another': ({ site, name, baseUrl }: { baseUrl: string } & Site & Name) =>
    `found the site of another catalogue,
    ${quote(name)} (${baseUrl}),
    at ${quote(site)};
    expected a site of this catalogue;
    choose another place, or
    ${site.startsWith('s3:') ? 'empty that prefix' : 'remove that folder'}`,
  'ids-renamed': ({ old, authority }: { old: string; authority: string }) =>
    `found the authority ${authority},
    which follows from the base URL;
    the previous site has ${old}:
    all calendar and feed entries get new ids,
    so subscribers see them twice;
    to keep the ids, put "authority":
    "${old}" into service.json`,
  'log-dropped': ({ site }: Site) =>
    `found a change log at ${quote(site)},
    which this build does not continue;
    to keep it, restore that site
    and build without --against none`,
  'genres-emptied': ({ genres }: { genres: readonly string[] }) => {
    const more = genres.length > 10 ? ` and ${count(genres.length - 10)} more` : '';
    return `found no upcoming event any more in
      ${genres.slice(0, 10).join(', ')}${more};
      if that is a surprise,
      look at their sources`;
  },
  'site-without-bulk': ({ site }: Site) =>
    `found no events.ndjson
    at ${quote(site)}, because "formats"
    in service.json leaves it out,
    or an older almanac built the site;
    so only the totals
    of its index are compared,
    and its change log is not continued`,
  'site-incomplete': () =>
    `files.json does not list this file,
    which a site with these categories
    and genres must have;
    build the site again`,
  'site-file-missing': () =>
    `found no such file,
    but files.json lists it;
    build or publish the site again`,
  'site-file-changed': ({ bytes, listed }: { bytes: number; listed: number }) =>
    `found ${count(bytes)}
    bytes${
      bytes === listed
        ? ' whose hash differs from the one in files.json'
        : `; files.json lists ${count(listed)} bytes`
    };
    build or publish the site again`,
  'site-file-unlisted': () =>
    `found a file that files.json, genres.json
    or categories.json does not list;
    remove it, or build the site again`,
  'site-document-invalid': ({ at, reason }: { at: string } & Reason) =>
    `found ${at === '' ? 'a document' : at}
    that does not match its schema: ${reason};
    build the site again`,
  'site-version-differs': ({ generator, names }: { generator: string } & Names) =>
    `found ${shorten(names.join(', '))}
    in only one of two versions;
    ${generator} built this site,
    so it may differ there`,
  'site-stale': ({ site, time, most }: { time: string } & Site & Most) =>
    `found last_sync ${time} at ${quote(site)};
    expected at most ${period(most)} ago;
    look at its last build`,
  'site-drop': ({ what, before, after, most, vanished }: Drop & Most) => {
    const names = shorten(vanished.join(', '));
    const gone = names === '' ? '' : `; gone: ${names}`;
    return `refused: ${what} fell
      from ${count(before)} to ${count(after)},
      by more than ${most}%${gone};
      fix the data or the source,
      or, if this is intended,
      build once with --accept-loss,
      or with another --max-loss`;
  },

  // Publishing
  'bad-target': ({ found: text }: Found) =>
    `found the target ${quote(text)};
    expected s3://bucket
    or s3://bucket/prefix, the bucket
    with 3 to 63 lower-case letters,
    digits, dots and hyphens, the prefix
    without . or .. between its slashes`,
  'bad-endpoint': ({ found: text }: Found) =>
    `found the endpoint ${quote(text)};
    expected an http or https address
    without a query or a user name,
    such as https://s3.example.org`,
  'credentials-missing': () =>
    `found no credentials;
    set AWS_ACCESS_KEY_ID
    and AWS_SECRET_ACCESS_KEY,
    and AWS_SESSION_TOKEN for temporary keys`,
  'bad-variable': ({ name }: Name) =>
    `${name} contains a character
    that is not allowed, such as a space,
    a line break or a curly quotation mark;
    set it again`,
  'bucket-refused': ({ bucket, asked, reason }: { bucket: string; asked: string } & Reason) =>
    `the bucket ${quote(bucket)}
    refused a ${asked}: ${reason};
    check the bucket's name and region,
    and that the keys allow listing,
    reading, writing and deleting`,
  'objects-not-ours': ({ target, paths }: { target: string; paths: readonly string[] }) =>
    `found ${plural(paths.length, 'object')}
    at ${quote(target)} that almanac did
    not store: ${shorten(paths.join(', '))};
    choose another prefix, or replace
    ${paths.length === 1 ? 'it' : 'them'}
    with --adopt`,
  'publisher-overtaken': ({ target }: { target: string }) =>
    `another publisher changed ${quote(target)}
    in the meantime, so this one stopped;
    if this site is the newer one,
    run it again`,

  // The machine
  'working-folder-gone': () =>
    `the working directory no longer exists
    (a build replaces its output folder);
    cd into it again and retry`,
  'not-printed': ({ reason }: Reason) =>
    `could not print the result: ${reason};
    redirect stdout elsewhere
    and run this again`,
  /** `isTooLarge`: whether there was an answer, of more bytes than allowed. */
  unreachable: ({ address, reason }: { isTooLarge?: boolean } & Address & Reason) =>
    `no answer from ${address}: ${reason};
    try again later`,
  usage: reasonOnly,
  unexpected: ({ reason }: Reason) => `unexpected error: ${reason};
    please report it`,
};

/** @param status that of the host; undefined for a folder */
function unreadableAdvice(path: string, status: number | undefined): string {
  if (status === undefined) return 'build the site again';
  const advice = 'the host may be down or require a login; try again later';
  // Where a manifest was read, a site is published, and a new log would replace its log.
  const mayBeNew = status !== 200 && path.endsWith('files.json');
  return mayBeNew
    ? `${advice} or, if nothing is published
      there yet, build with --against none`
    : advice;
}
