import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './handler.ts';

/* A page of the preview that is open in a browser shows an edit by itself. */

const scriptPath = '/.almanac/reload.js';
const eventsPath = '/.almanac/events';

/**
 * Loads the page again when the server says so, or answers again, and scrolls to where the reader
 * was.
 */
const script = `const key = 'almanac-scroll ' + location.pathname;
const kept = sessionStorage.getItem(key);
sessionStorage.removeItem(key);
if (kept !== null) addEventListener('load', () => scrollTo(0, Number(kept)));
const reload = () => {
  sessionStorage.setItem(key, String(scrollY));
  location.reload();
};
const events = new EventSource('${eventsPath}');
let wasOpen = false;
events.addEventListener('open', () => {
  if (wasOpen) reload();
  wasOpen = true;
});
events.addEventListener('message', reload);
`;

/** The open pages of a preview. */
export class OpenPages {
  readonly #pages = new Set<ServerResponse>();

  /** Answers a request for what open pages need. Returns whether it was one. */
  respond({ url }: IncomingMessage, response: ServerResponse): boolean {
    if (url === scriptPath) {
      response
        .writeHead(200, {
          ...headers,
          'Content-Type': 'text/javascript',
        })
        .end(script);
      return true;
    }
    if (url !== eventsPath) return false;
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream',
    });
    response.write('retry: 500\n\n');
    this.#pages.add(response);
    response.once('close', () => this.#pages.delete(response));
    return true;
  }

  /** Tells all open pages that the site is another. */
  reload(): void {
    for (const page of this.#pages) page.write('data: reload\n\n');
  }
}

const headers = { 'Cache-Control': 'no-store' };

/** Returns the reply with the script that loads the page again, if a browser opens it as a page. */
export function withReload(reply: Reply, { headers: requestHeaders }: IncomingMessage): Reply {
  const { body } = reply;
  const isPage = requestHeaders['sec-fetch-dest'] === 'document' && body !== null;
  if (!isPage || !reply.headers['Content-Type']?.startsWith('text/html')) return reply;
  const text = new TextDecoder().decode(body);
  const [head = '', ...rest] = text.split('</head>');
  const page = [`${head}<script src="${scriptPath}"></script>`, ...rest].join('</head>');
  const bytes = new TextEncoder().encode(page);
  const { ETag: _, ...headersOfPage } = reply.headers;
  const length = { 'Content-Length': String(bytes.length) };
  return {
    ...reply,
    headers: { ...headersOfPage, ...length },
    body: bytes,
  };
}
