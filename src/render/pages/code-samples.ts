import { html, type Markup } from './html.ts';

/** Code that fetches a URL, in two languages. */
export const samples = [
  { language: 'curl', write: (url: string) => `curl '${url}'` },
  {
    language: 'fetch',
    write: (url: string) => `const response = await fetch('${url}');\nconst answer = await response.json();`,
  },
] as const;

/** The samples that suit an answer: a script reads only JSON. */
export function samplesFor(isJson: boolean): readonly (typeof samples)[number][] {
  return isJson ? samples : samples.slice(0, 1);
}

/** Renders code with a button that copies it. The button needs the script of the page. */
export function codeBlock(code: string, label: string, language: string | null = null): Markup {
  return html`<div class="code">
    <pre tabindex="0" role="region" aria-label="${label}"><code${language !== null && html` data-language="${language}"`}>${code}</code></pre>
    <button class="copy" type="button">Copy<span class="sr"> ${label}</span></button>
  </div>`;
}
