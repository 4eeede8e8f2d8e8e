import { html, type Markup } from '../render/html.ts';

/** Code that fetches a URL, for each language. Samples that parse JSON are only for JSON responses. */
export const samples = [
  { language: 'curl', isJsonOnly: false, write: (url: string) => `curl '${url}'` },
  {
    language: 'JavaScript',
    isJsonOnly: true,
    write: (url: string) => `const response = await fetch('${url}');\nconst answer = await response.json();`,
  },
  {
    language: 'Python',
    isJsonOnly: true,
    write: (url: string) =>
      `import json\nfrom urllib.request import urlopen\n\nwith urlopen('${url}') as response:\n    answer = json.load(response)`,
  },
  {
    language: 'Typed client',
    isJsonOnly: true,
    write: (url: string) =>
      `import { createClient } from "almanac/client";\n\nconst almanac = createClient({ baseUrl: '${url.replace(/\/api\/v1.*/, '')}' });\n${clientCall(url)}`,
  },
  {
    language: 'Spreadsheet',
    isJsonOnly: false,
    write: (url: string) => `=IMPORTDATA("${url.replace(/events(\.\w+)?(\?.*)?$/, 'events.csv')}")`,
  },
] as const;

/** Returns the call of the typed client that corresponds to a URL. */
function clientCall(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const [, operation = 'index'] = /\/(categories|genres|events)(?:\.json)?$/.exec(pathname) ?? [];
  const filters = ['category', 'genre'].flatMap((name) => {
    const value = new RegExp(`/${name}/([^/]+)/`).exec(pathname)?.[1] ?? searchParams.get(name);
    return value === null || value === '' ? [] : [`${name}: '${value}'`];
  });
  const question = filters.length === 0 ? '' : `{ ${filters.join(', ')} }`;
  return `const answer = await almanac.${operation}(${question});`;
}

/** Renders code that fetches a URL, one block for each language. With the script, tabs choose which one is shown. */
export function sampleBlocks(url: string, title: string, media: string): Markup {
  const isEvents = /\/events(\.csv)?$/.test(new URL(url).pathname) || url.endsWith('events.csv');
  const suitable = samples.filter(
    ({ language, isJsonOnly }) =>
      (!isJsonOnly || media === 'application/json') && (language !== 'Spreadsheet' || isEvents),
  );
  return html`<div class="samples">
    ${suitable.length > 1 && tabs(suitable.map(({ language }) => language))}
    ${suitable.map(({ language, write }, n) => codeBlock(write(url), `${language}: ${title}`, language, n === 0))}
  </div>`;
}

function tabs(names: readonly string[]): Markup {
  return html`<div class="tabs script" role="tablist">
    ${names.map((name, n) => html`<button type="button" role="tab" data-tab="${name}" aria-selected="${String(n === 0)}" tabindex="${n === 0 ? 0 : -1}">${name}</button>`)}
  </div>`;
}

/** Renders code with a button that copies it. The button needs the script of the page. */
export function codeBlock(code: string, label: string, language: string | null = null, isChosen = false): Markup {
  return html`<div class="code${isChosen && ' chosen'}">
    <pre tabindex="0" role="region" aria-label="${label}"><code${language !== null && html` data-language="${language}"`}>${code}</code></pre>
    <button class="copy" type="button">Copy<span class="sr"> ${label}</span></button>
  </div>`;
}
