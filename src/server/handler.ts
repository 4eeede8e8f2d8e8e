import { documentPath, root } from '../api/paths.ts';
import { mostEvents } from '../api/limits.ts';
import { problemDocument, problemTypes, type ProblemType } from '../api/problems.ts';
import type { EventsDocument, IndexDocument } from '../api/documents.ts';
import { matchesEtag, prefersHtml } from './negotiate.ts';
import { isQuestionId, operationAt, readQuery, readTarget, shown, type Asked as Query } from './read-request.ts';

/** What the handler needs of a request; a Web `Request` has it all. `url` may be a path alone. */
export type Asked = Pick<Request, 'method' | 'url' | 'headers'>;

/** Fetches a published file by its path relative to `{base_url}`; any status but 200 says that there is none. */
export type FetchFile = (path: string) => Promise<Response>;

/**
 * Answers a request as version 1 of the interface has it (specification 4), from the published files and nothing else.
 * Every request has an answer; only what `fetchFile` throws is thrown.
 *
 * @param now milliseconds since 1970: what has stopped being upcoming by then is not listed
 * @param mount the path of `{base_url}`, such as `/almanac`; empty at the root of a host
 */
export async function answer(asked: Asked, fetchFile: FetchFile, now: number, mount = ''): Promise<Response> {
  const { status, headers, body } = await reply({ asked, fetchFile, now, mount });
  const bodiless = asked.method === 'HEAD' || body === null;
  return new Response(bodiless ? null : body, { status, headers: { ...everywhere, ...headers } });
}

interface Visit {
  readonly asked: Asked;
  readonly fetchFile: FetchFile;
  readonly now: number;
  readonly mount: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

const methods = 'GET, HEAD, OPTIONS';
const everywhere = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' };
const preflight = {
  Allow: methods,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': 'If-None-Match',
  'Access-Control-Max-Age': '86400',
};
const negotiated = { Vary: 'Accept' };
const [freshSeconds, problemSeconds] = [300, 60];

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
};

async function reply(visit: Visit): Promise<Reply> {
  const { method, url, headers } = visit.asked;
  if (method === 'OPTIONS') return { status: 204, headers: preflight, body: null };
  if (method !== 'GET' && method !== 'HEAD') {
    const detail = `The method is ${shown(method)}; this interface is read with GET, HEAD or OPTIONS.`;
    return problem(visit, 'method-not-allowed', detail, { Allow: methods });
  }
  const { path, query } = readTarget(url, visit.mount);
  if (path === null) return notFound(visit);
  if (path === '' && visit.mount !== '' && !url.split(/[?#]/, 1)[0]?.endsWith('/')) {
    return { status: 308, headers: { Location: `${visit.mount}/` }, body: null };
  }
  if (path === root || path === `${root}/`) return indexOf(visit, prefersHtml(headers.get('accept')));
  const operation = operationAt(path);
  if (operation !== null) return answerQuery(visit, readQuery(operation, query));
  return (await publish(visit, /(^|\/)$/.test(path) ? `${path}index.html` : path)) ?? notFound(visit);
}

/** The index document or, for who would rather read, the reference page (specification 2.1). */
async function indexOf(visit: Visit, html: boolean): Promise<Reply> {
  const page = html ? await publish(visit, `${root}/index.html`, negotiated) : null;
  return page ?? (await publish(visit, `${root}/index.json`, negotiated)) ?? notFound(visit);
}

async function answerQuery(visit: Visit, query: Query): Promise<Reply> {
  if ('problem' in query) return problem(visit, query.problem, query.detail);
  const { category, genre } = query;
  const isPublishable = [category, genre].every((id) => id === null || isQuestionId(id));
  const found = isPublishable ? await publish(visit, documentPath(query), {}, query.limit) : null;
  if (found !== null) return found;
  if (category !== null && (genre === null || !(await hasCategory(visit, category)))) {
    const detail = `category is ${shown(category)}; there is no such category. /${root}/categories lists all there are.`;
    return problem(visit, 'unknown-category', detail);
  }
  if (genre === null) return notFound(visit);
  const detail = `genre is ${shown(genre)}; there is no such genre. /${root}/genres lists all there are.`;
  return problem(visit, 'unknown-genre', detail);
}

async function hasCategory({ fetchFile }: Visit, category: string): Promise<boolean> {
  if (!isQuestionId(category)) return false;
  return (await fetchFile(documentPath({ operation: 'genres', category }))).status === 200;
}

/** A published file as an answer, its events cut to `limit` and to what is upcoming; null where it is not published. */
async function publish(
  { asked, fetchFile, now }: Visit,
  path: string,
  extra: Reply['headers'] = {},
  limit = mostEvents,
): Promise<Reply | null> {
  const file = await fetchFile(path);
  if (file.status !== 200) return null;
  const published = new Uint8Array(await file.arrayBuffer());
  const isEvents = path.startsWith(`${root}/`) && path.endsWith('/events.json');
  const { body, until } = isEvents ? cutEvents(published, limit, now) : { body: published, until: Infinity };
  const etag = (body === published && file.headers.get('etag')) || (await hashOf(body));
  const seconds = Math.max(1, Math.min(freshSeconds, Math.floor((until - now) / 1000)));
  const headers = { ...extra, ETag: etag, 'Cache-Control': `public, max-age=${seconds}` };
  if (matchesEtag(asked.headers.get('if-none-match'), etag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, ...described(body, typeOf(path, file)) }, body };
}

/** Drops what is no longer upcoming, then all beyond the limit. The very bytes published, where nothing is dropped. */
function cutEvents(published: Uint8Array<ArrayBuffer>, limit: number, now: number) {
  const text = new TextDecoder().decode(published);
  // Exact without a parse, which took half of the time: in JSON, no text inside a string can hold these unescaped quotes.
  const start = text.indexOf(eventsKey) + eventsKey.length;
  const list = text.slice(start, text.lastIndexOf(']'));
  const records = list === '' ? [] : list.split(/,(?=\{"id":")/);
  const asText = new Date(now).toISOString();
  const upcoming = records.filter((record) => untilOf(record) > asText);
  const left = upcoming.slice(0, limit);
  const until = Math.min(...left.map((record) => Date.parse(untilOf(record))));
  if (left.length === records.length && limit === mostEvents) return { body: published, until };
  const document = JSON.parse(`${text.slice(0, start)}]}`) as EventsDocument;
  const total = document.total - (records.length - upcoming.length);
  const head = JSON.stringify({ ...document, limit, total });
  return { body: encode(`${head.slice(0, -']}'.length)}${left.join(',')}]}\n`), until };
}

const eventsKey = '"events":[';

/** When an event stops being upcoming, as written; nothing where there is no event. */
function untilOf(record: string): string {
  return /"upcoming_until":"([^"]+)"/.exec(record)?.[1] ?? '';
}

/** The answer to a path that is no published file: a page for who would rather read, else a problem. */
async function notFound(visit: Visit): Promise<Reply> {
  const { asked, fetchFile } = visit;
  const page = prefersHtml(asked.headers.get('accept')) ? await fetchFile('404.html') : null;
  if (page?.status === 200) {
    const body = new Uint8Array(await page.arrayBuffer());
    const headers = { ...negotiated, ...unsettled, ...described(body, contentTypes['html']) };
    return { status: 404, headers, body };
  }
  const [path = ''] = asked.url.replace(/^\w+:\/\/[^/?#]*/, '').split(/[?#]/, 1);
  const detail = `The path is ${shown(path)}; there is no such document. /${root}/index.json tells which there are.`;
  return problem(visit, 'not-found', detail, negotiated);
}

const unsettled = { 'Cache-Control': `public, max-age=${problemSeconds}` };

async function problem(visit: Visit, type: ProblemType, detail: string, extra: Reply['headers'] = {}): Promise<Reply> {
  const body = encode(`${JSON.stringify(problemDocument(await baseUrlOf(visit), type, detail))}\n`);
  const headers = { ...extra, ...unsettled, ...described(body, 'application/problem+json') };
  return { status: problemTypes[type].status, headers, body };
}

/** `{base_url}` as the site itself has it, so that a kind of problem is named alike on every host. */
async function baseUrlOf({ asked, fetchFile, mount }: Visit): Promise<string> {
  const index = await fetchFile(`${root}/index.json`);
  if (index.status !== 200) return (/^\w+:\/\/[^/?#]*/.exec(asked.url)?.[0] ?? '') + mount;
  const { documentation } = (await index.json()) as IndexDocument;
  return documentation.slice(0, -`/${root}/`.length);
}

function typeOf(path: string, file: Response): string {
  const type = contentTypes[path.slice(path.lastIndexOf('.') + 1)];
  return type ?? file.headers.get('content-type') ?? 'application/octet-stream';
}

function described(body: Uint8Array, type = ''): Reply['headers'] {
  return { 'Content-Type': type, 'Content-Length': String(body.length) };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function hashOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}
