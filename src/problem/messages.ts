/** A place in a source file; `line` and `column` count from 1, columns in UTF-16 units as editors do. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What each code found; the words for it are in {@link wording}. */
interface Details {
  'data-missing': { folder: string };
  'missing-file': { name: string; holds: string };
  'stray-file': { name: string; allowed: string };
  'stray-folder': { name: string; allowed: string };
  'bad-name': { name: string };
  'symbolic-link': { name: string };
  'unreadable-file': { reason: string };
  'file-too-large': { bytes: number; most: number };
  'too-large-to-explain': { length: number; most: number };
  'more-problems': { most: number };
  'not-utf8': { looksLike: string };
  'invalid-json': { found: string; remedy: string };
  'nested-too-deep': { most: number };
  'duplicate-key': { key: string; firstLine: number };
  'wrong-type': { key: string; expected: string; found: string };
  'missing-key': { key: string; required: readonly string[] };
  'unknown-key': { key: string; nearest: string | null; allowed: readonly string[] };
  'events-beside-calendar': { calendar: string };
  'empty-text': { key: string };
  'text-too-long': { key: string; length: number; most: number };
  'outer-white-space': { key: string; found: string };
  'control-character': { key: string; codePoint: number };
  'lone-surrogate': { key: string; codePoint: number };
  'bad-url': { found: string };
  'bad-base-url': { found: string; from: string };
  'base-url-missing': object;
  'base-url-local': { baseUrl: string };
  'bad-id': { found: string };
  'bad-starts': { found: string };
  'no-such-date': { found: string };
  'year-out-of-range': { found: string };
  'zone-missing': { found: string };
  'unknown-zone': { found: string; nearest: string | null };
  'skipped-time': { found: string; zone: string };
  'repeated-time': { found: string; zone: string; offsets: readonly string[] };
  'offset-conflict': { found: string; zone: string; offsets: readonly string[] };
  'empty-slug': { title: string };
  /** `proposal` is null in a calendar, where ids come from UIDs. */
  'duplicate-id': { id: string; firstLine: number; proposal: string | null };
  'genre-collision': { id: string; other: string };
  'subject-twice': { id: string; other: string };
  'subject-collision': { name: string; id: string; other: string; firstLine: number };
  'no-subject-id': { name: string; id: string; most: number };
  'not-a-calendar': { found: string };
  'bad-calendar-line': { found: string };
  'calendar-nesting': { found: string; open: string; firstLine: number };
  'event-without-start': { title: string };
  'bad-calendar-value': { found: string; reason: string };
  'bad-recurrence': { found: string; reason: string };
  'too-many-events': { most: number };
  'too-many-occurrences': { most: number };
  'recurrence-too-long': { most: number };
  'duplicate-uid': { uid: string; firstLine: number };
  'bad-source-url': { found: string };
  'bad-format': { found: string; allowed: readonly string[] };
  'import-missing': { path: string };
  'import-exists': { path: string };
  'import-misnamed': { name: string; file: string };
  'import-failed': { path: string; reason: string };
  'source-failed': { url: string; reason: string; age: number | null };
  'source-too-old': { url: string; age: number; most: number };
  'source-not-fetched': { url: string };
  'sync-busy': { folder: string; owner: string };
  'cache-failed': { path: string; reason: string };
  'bad-table': { reason: string };
  'missing-column': { column: string; required: readonly string[] };
  'unknown-column': { column: string; nearest: string | null; allowed: readonly string[] };
  'repeated-column': { column: string };
  'ragged-row': { cells: number; columns: number };
  'bad-cancelled': { found: string };
  'bad-now': { found: string; from: string };
  'out-refused': { folder: string; reason: string };
  'out-busy': { folder: string; owner: string };
  'write-failed': { path: string; reason: string };
  'address-refused': { address: string; reason: string };
  'watch-refused': { folder: string; setting: string };
  'site-too-large': { host: string; what: string; found: number; most: number; source: string };
  'site-path-refused': { site: string; host: string; character: string };
  'unknown-host': { found: string; nearest: string | null; allowed: readonly string[] };
  'host-not-written': { folder: string; reason: string };
  'schemas-not-written': { folder: string; reason: string };
  'site-missing': { site: string };
  'site-not-there-yet': { site: string };
  /** `status` is what a host answered instead. */
  'site-unreadable': { path: string; reason: string; status?: number };
  'site-incomplete': object;
  'site-file-missing': object;
  'site-list-changed': { total: number; length: number; published: number };
  'site-file-changed': { bytes: number; listed: number };
  'site-file-unlisted': object;
  'site-document-invalid': { at: string; reason: string };
  'site-inconsistent': { what: string; found: string; expected: string };
  'site-empty': object;
  'site-drop': { what: string; before: number; after: number; most: number; vanished: readonly string[] };
  'bad-target': { found: string };
  'bad-endpoint': { found: string };
  'credentials-missing': object;
  'bad-variable': { name: string };
  'bucket-refused': { bucket: string; asked: string; reason: string };
  'publisher-overtaken': { target: string };
  'working-folder-gone': object;
  'not-printed': { reason: string };
  unreachable: { address: string; reason: string };
  usage: { reason: string };
  unexpected: { reason: string };
}

export type ProblemCode = keyof Details;

/** One thing that is wrong, as a value. `place` is null where no file is to blame. */
export type Problem = {
  [Code in ProblemCode]: { readonly code: Code; readonly place: Place | null } & Readonly<Details[Code]>;
}[ProblemCode];

/** A problem whose place is not looked up yet. */
export type UnplacedProblem = Unplaced<Problem>;
type Unplaced<P> = P extends Problem ? Omit<P, 'place'> : never;

/** Turns a path relative to the data folder into the path that problems show: relative to the working directory. */
export type DisplayPath = (path: string) => string;

/** The place of a problem with a file as a whole. */
export function wholeFile(file: string): Place {
  return { file, line: 1, column: 1 };
}

type Wording = { [Code in ProblemCode]: (details: Details[Code]) => string };

const idRule = 'lower-case letters a-z, digits and single hyphens between them, at most 64 characters';
const startsShapes =
  '2027-03-04 (the date alone), 2027-03-04T20, T20:00 or T20:00:30 with a zone, the same with Z or an offset such as -05:00, ' +
  'or 2027-03, 2027-Q2, 2027 (announced, not dated)';

const wording: Wording = {
  'data-missing': ({ folder }) =>
    `found no folder ${quote(folder)}; name the folder that holds service.json with --data DIR`,
  'missing-file': ({ name, holds }) => `found no ${name}; this folder needs one: add a file ${name} with ${holds}`,
  'stray-file': ({ name, allowed }) =>
    `found the file ${quote(name)}, which is not part of the format; ${allowed}: rename it, move it out of the data folder, or begin its name with a dot to have it passed over`,
  'stray-folder': ({ name, allowed }) =>
    `found the folder ${quote(name)}, which is not part of the format; ${allowed}: move it, or begin its name with a dot to have it passed over`,
  'bad-name': ({ name }) => `found the name ${quote(name)}; a name is ${idRule}: rename it`,
  'symbolic-link': ({ name }) =>
    `found a symbolic link ${quote(name)}; only real files and folders are read: put the file itself in its place`,
  'unreadable-file': ({ reason }) => `could not be read: ${reason}; mend its permissions or take it away`,
  'file-too-large': ({ bytes, most }) =>
    `found ${count(bytes)} bytes; a file may have at most ${count(most)}: split it into several subjects`,
  'too-large-to-explain': ({ length, most }) =>
    `found something wrong in a file of ${count(length)} characters; what and where is looked for in files of at most ${count(most)}: split it into several subjects`,
  'more-problems': ({ most }) =>
    `found more than ${count(most)} problems in this file; the first ${count(most)} are listed: mend those and run this again`,
  'not-utf8': ({ looksLike }) => `found ${looksLike}; text must be UTF-8: save the file as UTF-8`,
  'invalid-json': ({ found, remedy }) => `${found}; the file must be valid JSON: ${remedy}`,
  'nested-too-deep': ({ most }) =>
    `found brackets nested deeper than ${most}; the format needs three: take the nesting out`,
  'duplicate-key': ({ key, firstLine }) =>
    `found the key ${quote(key)} a second time (first on line ${firstLine}); a key may stand once: keep one of the two`,
  'wrong-type': ({ key, expected, found }) =>
    `found ${found} for ${key}; it must be ${expected}: write ${howToWrite[expected] ?? 'one'}`,
  'missing-key': ({ key, required }) => `found no ${quote(key)}; required here: ${list(required)}: add it`,
  'unknown-key': ({ key, nearest, allowed }) =>
    `found the unknown key ${quote(key)}; allowed: ${list(allowed)}: ${nearest === null ? 'take it out' : `did you mean ${quote(nearest)}?`}`,
  'events-beside-calendar': ({ calendar }) =>
    `found "events", but ${quote(calendar)} beside this file gives the events of its subject, so that this file may hold name and url only: move the events into the calendar, or take the calendar away`,
  'empty-text': ({ key }) => `found an empty ${key}; it must have at least 1 character: write one`,
  'text-too-long': ({ key, length, most }) =>
    `found ${key} of ${count(length)} characters; at most ${count(most)} are allowed: shorten it`,
  'outer-white-space': ({ key, found }) =>
    `found white space around ${key} ${quote(found)}; none is allowed at the ends: take it away`,
  'control-character': ({ key, codePoint }) =>
    `found the control character ${unicode(codePoint)} in ${key}; none is allowed: take it out`,
  'lone-surrogate': ({ key, codePoint }) =>
    `found the lone surrogate ${unicode(codePoint)} in ${key}, which is half a character; write the whole character`,
  'bad-url': ({ found }) =>
    `found the url ${quote(found)}; allowed is an absolute address that begins with https://, of at most 2,000 characters and without white space: mend it or leave url out`,
  'bad-base-url': ({ found, from }) =>
    `found the base URL ${quote(found)} in ${from}; allowed is an http or https address of at most 2,000 characters with no query, fragment, user name, quotation mark, bracket, $ or ;, such as https://example.org/almanac`,
  'base-url-missing': () =>
    'found no base URL; give the address the site will be served from: --base-url URL, the variable BASE_URL, or "base_url" in service.json',
  'base-url-local': ({ baseUrl }) =>
    `found the base URL ${quote(baseUrl)}, which leads nowhere but to this machine; for others give the address the site will be served from: --base-url URL, the variable BASE_URL, or "base_url" in service.json`,
  'bad-id': ({ found }) => `found the id ${quote(found)}; an id is ${idRule}: mend it`,
  'bad-starts': ({ found }) => `found starts ${quote(found)}; allowed: ${startsShapes}`,
  'no-such-date': ({ found }) => `found starts ${quote(found)}, a day that the calendar does not have: mend the date`,
  'year-out-of-range': ({ found }) => `found starts ${quote(found)}; years 1900 to 2999 are allowed: mend the year`,
  'zone-missing': ({ found }) =>
    `found the clock time ${quote(found)} without a zone; say in which zone that is: add "zone" such as "Europe/Berlin", or write Z or an offset behind it`,
  'unknown-zone': ({ found, nearest }) =>
    `found the zone ${quote(found)}; allowed is UTC or a name with a slash in the IANA time zone database, in its letter case, such as America/New_York${nearest === null ? '' : `: did you mean ${quote(nearest)}?`}`,
  'skipped-time': ({ found, zone }) =>
    `found ${quote(found)}, a time that clocks in ${zone} skip that day; write a time that exists there`,
  'repeated-time': ({ found, zone, offsets }) =>
    `found ${quote(found)}, a time that clocks in ${zone} show twice that day; write which one is meant with its offset: ${offsets.map((offset) => found + offset).join(' or ')}`,
  'offset-conflict': ({ found, zone, offsets }) =>
    `found ${quote(found)}, but clocks in ${zone} are at ${offsets.join(' or ')} then; write ${offsets.length === 1 ? 'that offset' : 'one of these offsets'}, another zone, or no zone`,
  'empty-slug': ({ title }) =>
    `found the title ${quote(title)}, of which no letter a-z or digit is left for an id; add an "id"`,
  'duplicate-id': ({ id, firstLine, proposal }) =>
    `found the event id ${quote(id)} a second time (first on line ${firstLine}); ids are unique within a subject${proposal === null ? ', and here they come from UIDs and dates: give one of the two events another UID' : `: give this event an "id" of its own, such as ${quote(proposal)}`}`,
  'genre-collision': ({ id, other }) =>
    `found the public genre id ${quote(id)} a second time (first from ${other}); public ids are folder-category and must be unique: rename one of the two folders`,
  'subject-twice': ({ id, other }) =>
    `found the subject ${quote(id)} a second time (first from ${other}); a subject comes from one file, save that {subject}.json may give name and url to {subject}.ics: keep one of the two`,
  'subject-collision': ({ name, id, other, firstLine }) =>
    `found the subject ${quote(name)}, whose id ${quote(id)} is that of ${quote(other)} (first on line ${firstLine}); write both names alike, or make them differ in a letter or digit`,
  'no-subject-id': ({ name, id, most }) =>
    `found the subject ${quote(name)}, which makes ${id === '' ? 'no id, since it has no letter a-z or digit' : `an id of ${id.length} characters`}; an id has 1 to ${most} characters: write another name`,
  'not-a-calendar': ({ found }) =>
    `found ${found}; a calendar goes from BEGIN:VCALENDAR to END:VCALENDAR: export it anew, or look at what its address answers`,
  'bad-calendar-line': ({ found }) =>
    `found the line ${quote(found)}; a line of a calendar is NAME:value, and one that goes on begins with a space: mend it`,
  'calendar-nesting': ({ found, open, firstLine }) =>
    `found ${found === '' ? 'the end of the file' : quote(found)} where ${open}, begun on line ${firstLine}, is still open; every BEGIN needs its END: the file may have been cut off, fetch it again`,
  'event-without-start': ({ title }) =>
    `found ${title === '' ? 'an event' : `the event ${quote(title)}`} without DTSTART; an event needs one: add it or take the event out`,
  'bad-calendar-value': ({ found, reason }) => `found ${quote(found)}: ${reason}; mend the value`,
  'bad-recurrence': ({ found, reason }) =>
    `found the recurrence rule ${quote(found)}, which cannot be followed: ${reason}; mend the rule`,
  'too-many-events': ({ most }) =>
    `found more than ${count(most)} events up to here; that many are allowed in one calendar: split it into several`,
  'too-many-occurrences': ({ most }) =>
    `found more than ${count(most)} occurrences of repeating events up to here; that many are allowed in one calendar, two years ahead: let the rule end, or repeat less often`,
  'recurrence-too-long': ({ most }) =>
    `found recurrence rules that take more than ${count(most)} steps to follow up to here; let the rule begin later, end, or repeat less often`,
  'duplicate-uid': ({ uid, firstLine }) =>
    `found the UID ${quote(uid)} a second time (first on line ${firstLine}) with another DTSTART; a UID stands for one event: give this event a UID of its own, or a RECURRENCE-ID`,
  'bad-source-url': ({ found }) =>
    `found the source ${quote(found)}; allowed is an absolute address that begins with https:// (http only on this machine) and has no user name or password: mend it`,
  'bad-format': ({ found, allowed }) =>
    `found the format ${quote(found)}; allowed: ${list(allowed)}: write one of them`,
  'import-missing': ({ path }) => `found no file ${quote(path)}; name the calendar (.ics) or table (.csv) to import`,
  'import-exists': ({ path }) =>
    `found the file ${quote(path)} already; an import replaces none: take it away, or name another folder with --into DIR`,
  'import-misnamed': ({ name, file }) =>
    `found the subject ${quote(name)}, whose file would be ${file}, which gives a genre its name: rename the subject in a table, or the file of a calendar, or put the table or calendar itself into the folder`,
  'import-failed': ({ path, reason }) =>
    `the subject files could not be written to ${quote(path)}: ${reason}; none of them is left there`,
  'source-failed': ({ url, reason, age }) =>
    `found ${reason} at ${quote(url)}; ${age === null ? 'there is no earlier copy to use: its subject stays without events' : `the good copy of ${period(age)} ago stays in use`}`,
  'source-too-old': ({ url, age, most }) =>
    `found a copy of ${quote(url)} that is ${period(age) === period(most) ? 'more than ' : ''}${period(age)} old; it may be ${period(most)} old at most: run almanac sync and mend what keeps it from the source, or allow more with --max-age`,
  'source-not-fetched': ({ url }) => `found no copy of ${quote(url)}: run almanac sync, or build with --sync`,
  'sync-busy': ({ folder, owner }) =>
    `another almanac (${owner}) is synchronising ${quote(folder)}; wait until it has ended and run this again`,
  'cache-failed': ({ path, reason }) =>
    `the copies of remote sources could not be renewed: ${reason}${path === '' ? '' : ` at ${path}`}; the good copies stay as they were`,
  'bad-table': ({ reason }) => `found ${reason}`,
  'missing-column': ({ column, required }) =>
    `found no column ${quote(column)}; the first line must name the columns, separated by commas, and these are required: ${list(required)}: add it`,
  'unknown-column': ({ column, nearest, allowed }) =>
    `found the unknown column ${quote(column)}; allowed: ${list(allowed)}: ${nearest === null ? 'take it out' : `did you mean ${quote(nearest)}?`}`,
  'repeated-column': ({ column }) => `found the column ${quote(column)} a second time; it may stand once: keep one`,
  'ragged-row': ({ cells, columns }) =>
    `found a row of ${count(cells)} ${cells === 1 ? 'cell' : 'cells'}; the first line names ${count(columns)} columns: give each row as many cells, and put text with a comma in quotation marks`,
  'bad-cancelled': ({ found }) =>
    `found cancelled ${quote(found)}; allowed is true, false or nothing: write one of them`,
  'bad-now': ({ found, from }) =>
    `found ${quote(found)} in ${from}; allowed is ${from === 'SOURCE_DATE_EPOCH' ? 'a whole number of seconds since 1970' : 'an instant with an offset, such as 2026-11-20T12:17:00Z'}`,
  'out-refused': ({ folder, reason }) =>
    `refused to replace ${quote(folder)}: ${reason}; name an empty or new folder, or one that almanac built, with --out DIR`,
  'out-busy': ({ folder, owner }) =>
    `another almanac (${owner}) is building ${quote(folder)}; wait until it has ended and run this again`,
  'write-failed': ({ path, reason }) =>
    `the site could not be written: ${reason}${path === '' ? '' : ` at ${path}`}; the last good site is untouched`,
  'address-refused': ({ address, reason }) =>
    `could not listen on ${address}: ${reason}; choose another with --port or --host, or take any free port with --port 0`,
  'watch-refused': ({ folder, setting }) =>
    `found that the system watches no more folders, so that changes in parts of ${quote(folder)} go unnoticed; allow it more, such as with sudo sysctl ${setting}, and start this again`,
  'site-too-large': ({ host, what, found, most, source }) =>
    `the site has ${count(found)} ${what}; ${host} takes at most ${count(most)} (${source}): publish fewer genres or categories, or choose another host`,
  'site-path-refused': ({ site, host, character }) =>
    `found ${unicode(character.codePointAt(0) ?? 0)} ${quote(character)} in ${quote(site)}, the path of the site; a configuration of ${host} cannot name such a folder: put the site elsewhere with --out DIR`,
  'unknown-host': ({ found, nearest, allowed }) =>
    `found the host ${quote(found)}; known are ${list(allowed)}${nearest === null ? '' : `: did you mean ${quote(nearest)}?`}`,
  'host-not-written': ({ folder, reason }) =>
    `what the host needs could not be written to ${quote(folder)}: ${reason}; name a folder that may be written with --to DIR`,
  'schemas-not-written': ({ folder, reason }) =>
    `the schemas could not be written to ${quote(folder)}: ${reason}; name a folder that may be written with --write DIR`,
  'site-missing': ({ site }) =>
    `found no site at ${quote(site)}; a site has files.json: build one with almanac build, or name the folder or address of one`,
  'site-not-there-yet': ({ site }) =>
    `found no site at ${quote(site)} yet, so there is nothing to hold the new one against; if there should be one, mend its name`,
  'site-unreadable': ({ path, reason, status }) =>
    `${quote(path)} could not be read: ${reason}; ${status === undefined ? 'build the site anew' : 'the host may be down, or keep others out: try again later, or, as long as nothing is published there, build without --against'}`,
  'site-incomplete': () =>
    'found no such file in files.json; every site of such a catalogue has it: build the site anew',
  'site-list-changed': ({ total, length, published }) =>
    `found ${count(length)} events and a total of ${count(total)}, which is not what is left of the ${count(published)} published; publish the site anew`,
  'site-file-missing': () => 'found no such file, but files.json lists it; build or publish the site anew',
  'site-file-changed': ({ bytes, listed }) =>
    `found ${count(bytes)} bytes ${bytes === listed ? 'with another hash than' : `that are not the ${count(listed)} of`} files.json; build or publish the site anew`,
  'site-file-unlisted': () => 'found a file that has no place in this site; take it away, or build the site anew',
  'site-document-invalid': ({ at, reason }) =>
    `found ${at === '' ? 'a document' : at} that does not fit its schema: ${reason}; build the site anew`,
  'site-inconsistent': ({ what, found, expected }) =>
    `found ${what} to be ${shortened(found)}; the other documents say ${shortened(expected)}: build the site anew`,
  'site-empty': () => 'found no document to check; a site has at least an index and three lists: build it anew',
  'site-drop': ({ what, before, after, most, vanished }) =>
    `refused: ${what} fell from ${count(before)} to ${count(after)}, by more than ${most} per cent${vanished.length === 0 ? '' : `; gone: ${shortened(list(vanished))}`}; mend the data or the source, or build once with --max-drop 100 if it is meant`,
  'bad-target': ({ found }) =>
    `found the target ${quote(found)}; allowed is s3://bucket or s3://bucket/prefix, the bucket of 3 to 63 lower-case letters, digits, dots and hyphens, the prefix without . or .. between its slashes`,
  'bad-endpoint': ({ found }) =>
    `found the endpoint ${quote(found)}; allowed is an http or https address without a query or a user name, such as https://s3.example.org`,
  'credentials-missing': () =>
    'found no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where the keys are temporary',
  'bad-variable': ({ name }) =>
    `found in ${name} what it can't hold, such as a space, a line break or a quotation mark of print; set it anew`,
  'bucket-refused': ({ bucket, asked, reason }) =>
    `the bucket ${quote(bucket)} refused a ${asked}: ${reason}; check its name, its region and that the keys may list, read, write and delete`,
  'publisher-overtaken': ({ target }) =>
    `another publisher changed ${quote(target)} meanwhile, so this one stopped; run it again if this site is the newer one`,
  'working-folder-gone': () =>
    'found no working folder: it was taken away or replaced, as that of a site is by a build; enter it anew and run this again',
  'not-printed': ({ reason }) => `the result could not be printed: ${reason}; send stdout elsewhere and run this again`,
  unreachable: ({ address, reason }) => `no answer from ${address}: ${reason}; try again later`,
  usage: ({ reason }) => reason,
  unexpected: ({ reason }) => `an error that almanac does not know: ${reason}; please report it`,
};

/** The sentence for a problem: what was found, what is allowed, how to mend it. Always one line, without control characters. */
export function problemMessage(problem: Problem): string {
  const word = wording[problem.code] as (details: Problem) => string;
  return printable(word(problem));
}

/** `path:line:column: message`, or the message alone where no file is to blame. */
export function problemLine(problem: Problem): string {
  const { place } = problem;
  const message = problemMessage(problem);
  return place === null ? message : `${printable(place.file)}:${place.line}:${place.column}: ${message}`;
}

/** Orders problems by file, line, column and code, files by code unit. */
export function compareProblems(a: Problem, b: Problem): number {
  const [x, y] = [a.place ?? nowhere, b.place ?? nowhere];
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return x.line - y.line || x.column - y.column || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}

/** Carries problems through code that can only throw; caught once, in the shell. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'));
    this.name = 'ProblemError';
    this.problems = problems;
  }
}

/** Every code there is, for the tests that hold each one to a case of its own. */
export const problemCodes = Object.keys(wording) as ProblemCode[];

/** Text from outside made safe to print: control characters, bidirectional overrides and line breaks become escapes. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The types of JSON, as a source writes them. */
const howToWrite: Readonly<Record<string, string>> = {
  'a string': 'a text in quotation marks',
  'a boolean': 'true or false, without quotation marks',
  'an array': 'a list in square brackets',
  'an object': 'keys and values in curly brackets',
};

const nowhere: Place = { file: '', line: 0, column: 0 };
const longestQuote = 80;
const longestText = 400;

function quote(text: string): string {
  const characters = [...text];
  const shown = characters.length > longestQuote ? `${characters.slice(0, longestQuote).join('')}…` : text;
  return `"${shown}"`;
}

/** Text from outside, cut to the length of a line. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length > longestText ? `${characters.slice(0, longestText).join('')}…` : text;
}

function list(words: readonly string[]): string {
  return words.join(', ');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** A time span in milliseconds, in the largest unit that fits. */
function period(milliseconds: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const;
  const [unit, length] = units.find(([, size]) => milliseconds >= size) ?? ['second', 1000];
  const amount = Math.floor(milliseconds / length);
  return `${count(amount)} ${unit}${amount === 1 ? '' : 's'}`;
}

function unicode(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
