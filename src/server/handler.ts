import { contentTypeOf, contentTypes } from '../api/content-types.ts';
import type { IndexDocument } from '../api/documents.ts';
import { formats } from '../api/formats.ts';
import {
  baseUrlIn,
  documentPath,
  idPattern,
  indexPath,
  listLimit,
  notFoundPagePath,
  root,
} from '../api/paths.ts';
import { details, problemDocument, problemTypes, type ProblemType } from '../api/problems.ts';
import { mountOf } from '../api/address.ts';
import { companionContent, filteredContent, wholeContent, type Content } from './list.ts';
import {
  matchesEtag,
  operationAt,
  prefersHtml,
  readQuery,
  readTarget,
  type Query,
} from './request.ts';

/** The part of a Web `Request` that the handler uses. `url` may be a path alone. */
export interface HandlerRequest extends Pick<Request, 'method' | 'url'> {
  readonly headers: Pick<Headers, 'get'>;
}

/**
 * A published file, such as a Web `Response`. Any status but 200 means that there is no such file.
 */
interface PublishedFile extends Pick<Response, 'status' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get'>;
}

/**
 * Fetches a published file by its path relative to `{base_url}`. Returns null if there is no such
 * file. The handler caches what it computes from an ArrayBuffer. So return the same buffer for the
 * same bytes if possible, and never for other bytes.
 */
export type FetchFile = (path: string) => Promise<PublishedFile | null>;

/** A response in parts, for servers without Web responses. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/**
 * Answers a request by the rules of version 1 (specification 4), from the published files alone. It
 * throws only errors of `fetchFile`.
 *
 * @param now milliseconds since the Unix epoch; events that are no longer upcoming at that time are
 * left out
 * @param mount the path of `{base_url}`, such as `/almanac` or `/almanac/`; empty at the root of a
 * host
 */
export async function answer(
  request: HandlerRequest,
  fetchFile: FetchFile,
  now: number,
  mount = '',
): Promise<Response> {
  const { status, headers, body } = await replyTo(request, fetchFile, now, mount);
  return new Response(body, { status, headers });
}

/** Answers like {@link answer}, but returns the parts of the response. */
export async function replyTo(
  request: HandlerRequest,
  fetchFile: FetchFile,
  now: number,
  mount = '',
): Promise<Reply> {
  const find: FetchFile = async (path) => {
    const file = await fetchFile(path);
    return file?.status === 200 ? file : null;
  };
  const { status, headers, body } = await route({
    request,
    find,
    now,
    mount: mountOf(`http://host${mount}`),
  });
  return {
    status,
    headers: { ...corsHeaders, ...headers },
    body: request.method === 'HEAD' ? null : body,
  };
}

interface Context {
  readonly request: HandlerRequest;
  /** Fetches a file, or returns null if there is none. */
  readonly find: FetchFile;
  readonly now: number;
  readonly mount: string;
}

const methods = 'GET, HEAD, OPTIONS';
const maxAgeSeconds = 300;

/** The headers of every response. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag',
};
const preflightHeaders = {
  Allow: methods,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': 'If-None-Match',
  'Access-Control-Max-Age': '86400',
};
const varies = { Vary: 'Accept' };
const problemCacheHeaders = { 'Cache-Control': 'public, max-age=60' };

async function route(context: Context): Promise<Reply> {
  const { mount } = context;
  const { method, url, headers } = context.request;
  if (method === 'OPTIONS')
    return {
      status: 204,
      headers: preflightHeaders,
      body: null,
    };
  if (method !== 'GET' && method !== 'HEAD') {
    return problem(context, 'method-not-allowed', details['method-not-allowed'](method), {
      Allow: methods,
    });
  }
  const { path, query } = readTarget(url, mount);
  if (path === null) return notFound(context);
  if (path === '' && mount !== '' && !url.split(/[?#]/)[0]?.endsWith('/')) {
    return redirect(`${mount}/`, query);
  }
  if (path === root || path === `${root}/`) {
    // The index document or, if the client prefers HTML, the reference page (specification 2.1).
    const page = prefersHtml(headers.get('accept'))
      ? await replyWithFile(context, `${root}/index.html`, varies)
      : null;
    return page ?? (await replyWithFile(context, indexPath, varies)) ?? notFound(context);
  }
  const operation = operationAt(path);
  if (operation !== null) return replyToQuery(context, readQuery(operation, query));
  const reply = await replyWithFile(context, filePathOf(path));
  if (reply !== null) return reply;
  // The page in a folder, whose final slash is missing.
  const isPage = /^[a-z0-9/-]+$/.test(path) && (await context.find(`${path}/index.html`)) !== null;
  if (isPage) return redirect(`${mount}/${path}/`, query);
  return notFound(context);
}

/**
 * Matches the documents that follow from the list of upcoming events in the same folder, so that
 * they are current.
 */
const companionPattern = new RegExp(
  `^(${root}/(?:(?:${formats.next.scopes.join('|')})/[^/]+/)?)(?:${formats.next.file}|${formats.now.file})$`,
);

/** Returns the path of the file that is published at a path, which is `index.html` in a folder. */
export function filePathOf(path: string): string {
  if (path === '' || path.endsWith('/')) return `${path}index.html`;
  return path;
}

async function replyToQuery(context: Context, query: Query): Promise<Reply> {
  if ('problem' in query) return problem(context, query.problem, query.detail);
  const { category, genre } = query;
  const areIds = [category, genre].every((id) => id === null || idPattern.test(id));
  const reply = areIds ? await replyWithFile(context, documentPath(query), {}, query.limit) : null;
  if (reply !== null) return reply;
  const hasCategory = async (id: string): Promise<boolean> =>
    idPattern.test(id) &&
    (await context.find(
      documentPath({
        operation: 'genres',
        category: id,
      }),
    )) !== null;
  if (category !== null && (genre === null || !(await hasCategory(category)))) {
    return problem(
      context,
      'unknown-category',
      details['unknown-category'](category, context.mount),
    );
  }
  if (genre === null) return notFound(context);
  return problem(context, 'unknown-genre', details['unknown-genre'](genre, context.mount));
}

/**
 * Replies with a published file, or returns null. Lists hold upcoming events only, at most `limit`.
 */
async function replyWithFile(
  { request, find, now }: Context,
  path: string,
  extra: Reply['headers'] = {},
  limit = listLimit,
): Promise<Reply | null> {
  const file = await find(path);
  if (file === null) return null;
  const bytes = await file.arrayBuffer();
  const hostEtag = file.headers.get('etag');
  const contentOf = async (): Promise<Content> => {
    const [, folder] = companionPattern.exec(path) ?? [];
    const upcoming = folder === undefined ? null : await find(folder + formats.json.file);
    if (upcoming !== null)
      return companionContent(bytes, hostEtag, await upcoming.arrayBuffer(), now);
    const isEvents = path.startsWith(`${root}/`) && path.endsWith(`/${formats.json.file}`);
    if (isEvents) return filteredContent(bytes, hostEtag, limit, now);
    return wholeContent(bytes, hostEtag);
  };
  const { body, etag, expiresAt } = await contentOf();
  const seconds = Math.max(1, Math.min(maxAgeSeconds, Math.floor((expiresAt - now) / 1000)));
  const headers = {
    ...extra,
    ETag: etag,
    'Cache-Control': `public, max-age=${seconds}`,
  };
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return {
      status: 304,
      headers,
      body: null,
    };
  const type =
    contentTypeOf(path) ?? file.headers.get('content-type') ?? 'application/octet-stream';
  return {
    status: 200,
    headers: { ...headers, ...contentHeaders(body, type) },
    body,
  };
}

function redirect(path: string, query: string): Reply {
  const location = query === '' ? path : `${path}?${query}`;
  return {
    status: 308,
    headers: { Location: location, ...problemCacheHeaders },
    body: null,
  };
}

/**
 * Replies that there is no such file, with a page if the client prefers HTML, otherwise with a
 * problem.
 */
async function notFound(context: Context): Promise<Reply> {
  const { request, find, mount } = context;
  const page = prefersHtml(request.headers.get('accept')) ? await find(notFoundPagePath) : null;
  if (page !== null) {
    const body = new Uint8Array(await page.arrayBuffer());
    const headers = {
      ...varies,
      ...problemCacheHeaders,
      ...contentHeaders(body, contentTypes['html']),
    };
    return { status: 404, headers, body };
  }
  const [path = ''] = request.url.replace(origin, '').split(/[?#]/);
  return problem(context, 'not-found', details['not-found'](path, mount), varies);
}

async function problem(
  context: Context,
  type: ProblemType,
  detail: string,
  extra: Reply['headers'] = {},
) {
  const document = problemDocument(await baseUrlOf(context), type, detail);
  const body = new TextEncoder().encode(`${JSON.stringify(document)}\n`);
  const headers = {
    ...extra,
    ...problemCacheHeaders,
    ...contentHeaders(body, 'application/problem+json'),
  };
  return {
    status: problemTypes[type].status,
    headers,
    body,
  };
}

/** Returns `{base_url}` from the site, so that a problem type has the same URL on every host. */
async function baseUrlOf({ request, find, mount }: Context): Promise<string> {
  const index = await find(indexPath);
  if (index === null) return (origin.exec(request.url)?.[0] ?? '') + mount;
  const { documentation } = JSON.parse(
    new TextDecoder().decode(await index.arrayBuffer()),
  ) as IndexDocument;
  return baseUrlIn(documentation);
}

const origin = /^\w+:\/\/[^/?#]*/;

function contentHeaders(body: Uint8Array, type = ''): Reply['headers'] {
  return {
    'Content-Type': type,
    'Content-Length': String(body.length),
  };
}
