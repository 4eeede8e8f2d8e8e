import { html, type Markup } from './html.ts';

/** The only inline script that may run, with the hash of its content for the content security policy. */
interface InlineScript {
  readonly element: Markup;
  readonly hash: string;
}

/**
 * Some hosts answer with a page at its path without the final slash, where its relative links lead out of its folder.
 * Only the URL in use tells where the site is. Without JavaScript the page has no style there, but it can be read.
 */
const addSlash: InlineScript = {
  element: html`<script>
    const here = new URL(location);
    if (!['/', '/index', '/index.html'].some((end) => here.pathname.endsWith(end))) {
      here.pathname += '/';
      history.replaceState(null, '', here);
    }
  </script>`,
  hash: 'sha256-ABzndpiVH4Z1n25zT6ElVa1uHYU+5Cr1UZKN2Bw6hF8=',
};

/** The parts of a page that differ from page to page. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** The URL that search engines should list. Null for a page that answers at many URLs. */
  readonly canonical: string | null;
  /** The prefix of links to files of the site: empty at its root, `../../` two folders below. */
  readonly root: string;
  readonly script: string | null;
  readonly body: Markup;
}

/** Allows only files of the site itself, and the inline script if there is one. */
function policyWith(inlineScript: InlineScript | null): string {
  const inline = inlineScript === null ? '' : ` '${inlineScript.hash}'`;
  return `default-src 'none'; script-src 'self'${inline}; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'`;
}

/** Renders a whole HTML document. */
export function page({ title, description, canonical, root, script, body }: Page): string {
  // A page with one URL is the index of a folder.
  const inlineScript = canonical === null ? null : addSlash;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyWith(inlineScript)}" />
        ${inlineScript?.element ?? null}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        ${canonical !== null && html`<link rel="canonical" href="${canonical}" /> `}
        <link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}assets/style.css" />
        ${script !== null && html`<script type="module" src="${root}assets/${script}"></script> `}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${body}
      </body>
    </html> `;
  return document.markup;
}
