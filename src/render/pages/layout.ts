import { createHash } from 'node:crypto';
import { html, type Markup } from './html.ts';

/** A page to be laid out. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** The address under which it is to be found; null for a page that stands for many. */
  readonly canonical: string | null;
  /** What comes before the path of a file of the site: `` at its root, `../../` two folders below it. */
  readonly root: string;
  readonly script: string | null;
  /** A `<script>` element that runs before anything is loaded; without one, nothing inline may run. */
  readonly firstScript?: Markup;
  readonly body: Markup;
}

/** Nothing but files of the site itself: no other host, nothing else that is inline, no frame, no form that is sent. */
function policyWith(firstScript: Markup | undefined): string {
  const code = firstScript?.markup.replace(/^<script>|<\/script>$/g, '');
  const allowed = code === undefined ? '' : ` 'sha256-${createHash('sha256').update(code).digest('base64')}'`;
  return `default-src 'none'; script-src 'self'${allowed}; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'`;
}

/** A whole HTML document. */
export function page({ title, description, canonical, root, script, firstScript, body }: Page): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyWith(firstScript)}" />
        ${firstScript ?? null}
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
