import { html, type Markup } from '../render/html.ts';

/** Renders code that fetches a URL: for a shell and, if the answer is JSON, for JavaScript. */
export function sampleBlocks(url: string, title: string, mediaType: string): Markup {
  const script = `const response = await fetch('${url}');\nconst answer = await response.json();`;
  return html`${sampleBlock('curl', `curl '${url}'`, title)}
  ${mediaType === 'application/json' && sampleBlock('JavaScript', script, title)}`;
}

/** Renders code that a reader can copy. `title` tells it apart from other code in the same language. */
export function sampleBlock(language: string, code: string, title: string): Markup {
  const label = `${language}: ${title}`;
  return html`<div class="code">
    <pre tabindex="0" role="region" aria-label="${label}"><code data-language="${language}">${code}</code></pre>
    <button class="script" type="button" data-copy="${code}">Copy<span class="sr"> ${label}</span></button>
  </div>`;
}

/** Renders a value as indented JSON, with its keys, texts and other values told apart. */
export function jsonBlock(value: unknown, label: string): Markup {
  const parts = JSON.stringify(value, null, 2).split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/);
  const coloured = parts.map((part) => {
    if (!part.startsWith('"')) return part;
    return html`<span class="${part.endsWith(':') ? 'key' : 'text'}">${part}</span>`;
  });
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${coloured}</code></pre>`;
}
