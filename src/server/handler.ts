import { contentTypeOf, contentTypes } from '../api/content-types.ts';
import { baseUrlIn, documentPath, indexPath, maxEvents, notFoundPagePath, root } from '../api/paths.ts';
import { details, problemDocument, problemTypes, type ProblemType } from '../api/problems.ts';
import { mountOf } from '../catalogue/url.ts';
import type { IndexDocument } from '../api/documents.ts';
import { matchesEtag, prefersHtml } from './negotiate.ts';
import { listPart, wholePart } from './parts.ts';
import { isQuestionId, operationAt, readQuery, readTarget, type Query } from './query.ts';

/** What the handler needs of a request; a Web `Request` has it all. `url` may be a path alone. */
export interface Asked extends Pick<Request, 'method' | 'url'> {
  readonly headers: Pick<Headers, 'get'>;
}

/** A published file; a Web `Response` has it all. Any status but 200 says that there is none. */
export interface Published extends Pick<Response, 'status' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get'>;
}

/**
 * Fetches a published file by its path relative to `{base_url}`; null where there is none. Whoever gives the same
 * ArrayBuffer again while the file is the same, and never for another one, spares the handler taking it apart and
 * hashing it anew.
 */
export type FetchFile = (path: string) => Promise<Published | null>;

/** An answer in parts, for servers whose responses are not Web ones. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/**
 * Answers a request as version 1 of the interface has it (specification 4), from the published files and nothing else.
 * Every request has an answer; only what `fetchFile` throws is thrown.
 *
 * @param now milliseconds since 1970: what has stopped being upcoming by then is not listed
 * @param mount the path of `{base_url}`, such as `/almanac` or `/almanac/`; empty at the root of a host
 */
export async function answer(asked: Asked, fetchFile: FetchFile, now: number, mount = ''): Promise<Response> {
  const { status, headers, body } = await replyTo(asked, fetchFile, now, mount);
  return new Response(body, { status, headers });
}

/** The same as {@link answer}, in parts. */
export async function replyTo(asked: Asked, fetchFile: FetchFile, now: number, mount = ''): Promise<Reply> {
  const find: FetchFile = async (path) => {
    const file = await fetchFile(path);
    return file?.status === 200 ? file : null;
  };
  const { status, headers, body } = await reply({ asked, find, now, mount: mountOf(`http://host${mount}`) });
  return { status, headers: { ...everywhere, ...headers }, body: asked.method === 'HEAD' ? null : body };
}

interface Visit {
  readonly asked: Asked;
  /** What is found is a file, whatever the status of what is not. */
  readonly find: FetchFile;
  readonly now: number;
  readonly mount: string;
}

const methods = 'GET, HEAD, OPTIONS';

/** What every answer says. */
export const everywhere = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' };
const preflight = {
  Allow: methods,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': 'If-None-Match',
  'Access-Control-Max-Age': '86400',
};
const negotiated = { Vary: 'Accept' };
const [freshSeconds, problemSeconds] = [300, 60];

async function reply(visit: Visit): Promise<Reply> {
  const { method, url, headers } = visit.asked;
  if (method === 'OPTIONS') return { status: 204, headers: preflight, body: null };
  if (method !== 'GET' && method !== 'HEAD') {
    return problem(visit, 'method-not-allowed', details['method-not-allowed'](method), { Allow: methods });
  }
  const { path, query } = readTarget(url, visit.mount);
  if (path === null) return notFound(visit);
  if (path === '' && visit.mount !== '' && !url.split(/[?#]/, 1)[0]?.endsWith('/')) {
    const location = `${visit.mount}/${query === '' ? '' : `?${query}`}`;
    return { status: 308, headers: { Location: location, ...unsettled }, body: null };
  }
  if (path === root || path === `${root}/`) return indexOf(visit, prefersHtml(headers.get('accept')));
  const operation = operationAt(path);
  if (operation !== null) return answerQuery(visit, readQuery(operation, query));
  return (await publish(visit, /(^|\/)$/.test(path) ? `${path}index.html` : path)) ?? notFound(visit);
}

/** The index document or, for who would rather read, the reference page (specification 2.1). */
async function indexOf(visit: Visit, html: boolean): Promise<Reply> {
  const page = html ? await publish(visit, `${root}/index.html`, negotiated) : null;
  return page ?? (await publish(visit, indexPath, negotiated)) ?? notFound(visit);
}

async function answerQuery(visit: Visit, query: Query): Promise<Reply> {
  if ('problem' in query) return problem(visit, query.problem, query.detail);
  const { category, genre } = query;
  const isPublishable = [category, genre].every((id) => id === null || isQuestionId(id));
  const found = isPublishable ? await publish(visit, documentPath(query), {}, query.limit) : null;
  if (found !== null) return found;
  if (category !== null && (genre === null || !(await hasCategory(visit, category)))) {
    return problem(visit, 'unknown-category', details['unknown-category'](category, visit.mount));
  }
  if (genre === null) return notFound(visit);
  return problem(visit, 'unknown-genre', details['unknown-genre'](genre, visit.mount));
}

async function hasCategory({ find }: Visit, category: string): Promise<boolean> {
  return isQuestionId(category) && (await find(documentPath({ operation: 'genres', category }))) !== null;
}

/** A published file as an answer, its events cut to `limit` and to what is upcoming; null where it is not published. */
async function publish(
  { asked, find, now }: Visit,
  path: string,
  extra: Reply['headers'] = {},
  limit = maxEvents,
): Promise<Reply | null> {
  const file = await find(path);
  if (file === null) return null;
  const bytes = await file.arrayBuffer();
  const tag = file.headers.get('etag');
  const isEvents = path.startsWith(`${root}/`) && path.endsWith('/events.json');
  const { body, etag, until } = await (isEvents ? listPart(bytes, tag, limit, now) : wholePart(bytes, tag));
  const seconds = Math.max(1, Math.min(freshSeconds, Math.floor((until - now) / 1000)));
  const headers = { ...extra, ETag: etag, 'Cache-Control': `public, max-age=${seconds}` };
  if (matchesEtag(asked.headers.get('if-none-match'), etag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, ...described(body, typeOf(path, file)) }, body };
}

/** The answer to a path that is no published file: a page for who would rather read, else a problem. */
async function notFound(visit: Visit): Promise<Reply> {
  const { asked, find } = visit;
  const page = prefersHtml(asked.headers.get('accept')) ? await find(notFoundPagePath) : null;
  if (page !== null) {
    const body = new Uint8Array(await page.arrayBuffer());
    const headers = { ...negotiated, ...unsettled, ...described(body, contentTypes['html']) };
    return { status: 404, headers, body };
  }
  const [path = ''] = asked.url.replace(/^\w+:\/\/[^/?#]*/, '').split(/[?#]/, 1);
  return problem(visit, 'not-found', details['not-found'](path, visit.mount), negotiated);
}

const unsettled = { 'Cache-Control': `public, max-age=${problemSeconds}` };

async function problem(visit: Visit, type: ProblemType, detail: string, extra: Reply['headers'] = {}): Promise<Reply> {
  const body = encode(`${JSON.stringify(problemDocument(await baseUrlOf(visit), type, detail))}\n`);
  const headers = { ...extra, ...unsettled, ...described(body, 'application/problem+json') };
  return { status: problemTypes[type].status, headers, body };
}

/** `{base_url}` as the site itself has it, so that a kind of problem is named alike on every host. */
async function baseUrlOf({ asked, find, mount }: Visit): Promise<string> {
  const index = await find(indexPath);
  if (index === null) return (/^\w+:\/\/[^/?#]*/.exec(asked.url)?.[0] ?? '') + mount;
  const { documentation } = JSON.parse(new TextDecoder().decode(await index.arrayBuffer())) as IndexDocument;
  return baseUrlIn(documentation);
}

function typeOf(path: string, file: Published): string {
  return contentTypeOf(path) ?? file.headers.get('content-type') ?? 'application/octet-stream';
}

function described(body: Uint8Array, type = ''): Reply['headers'] {
  return { 'Content-Type': type, 'Content-Length': String(body.length) };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
