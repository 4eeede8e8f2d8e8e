import { html, type Markup } from './html.ts';

/** A `<script>` element, and the hash of its content in a content security policy: `sha256-` and base64. */
export interface InlineScript {
  readonly element: Markup;
  readonly hash: string;
}

/** The parts of a page that differ from page to page. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** The URL that search engines should list. Null for a page that answers at many URLs. */
  readonly canonical: string | null;
  /** The prefix of links to files of the site: empty at its root, `../../` two folders below. */
  readonly root: string;
  readonly script: string | null;
  /** An inline script that runs before anything is loaded. No other inline script may run. */
  readonly firstScript?: InlineScript;
  readonly body: Markup;
}

/** Allows only files of the site itself, and the first script. */
function policyWith(firstScript: InlineScript | undefined): string {
  const inline = firstScript === undefined ? '' : ` '${firstScript.hash}'`;
  return `default-src 'none'; script-src 'self'${inline}; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'`;
}

/** Renders a whole HTML document. */
export function page({ title, description, canonical, root, script, firstScript, body }: Page): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyWith(firstScript)}" />
        ${firstScript?.element ?? null}
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
