import { html, type Markup } from '../render/html.ts';

/**
 * Renders the subset of Markdown that describes the interface: second-level headings, paragraphs,
 * lists, **strong** and `code`. The id of a heading consists of its words.
 */
export function markdown(text: string): Markup {
  return html`${text.split(/\n{2,}/).map(block)}`;
}

/** Renders a text with `code` and **strong** in it. */
export function inline(text: string): Markup {
  return html`${text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : part;
  })}`;
}

function block(text: string): Markup {
  const heading = text.startsWith('## ') ? text.slice(3) : '';
  const id = heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  if (heading !== '') return html`<h2 id="${id}">${inline(heading)}</h2>`;
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`;
  return html`<ul class="points">
    ${text.split('\n').map((item) => html`<li>${inline(item.slice(2))}</li>`)}
  </ul>`;
}
