import type { Markup } from '../html.ts';

/** Returns the element with an id. The build puts it into the page. */
export function element(id: string): HTMLElement;
export function element<T extends HTMLElement>(id: string, kind: abstract new () => T): T;
export function element(id: string, kind: abstract new () => HTMLElement = HTMLElement): HTMLElement {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`the page has no ${kind.name} #${id}`);
}

/** Replaces the content of an element. This is the only place where text becomes elements, and markup is escaped. */
export function put(target: Element, { markup }: Markup): void {
  target.innerHTML = markup;
}
