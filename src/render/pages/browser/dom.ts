import type { Markup } from '../html.ts';

/** The element of the page with an id, which the build put there. */
export function element(id: string): HTMLElement;
export function element<T extends HTMLElement>(id: string, kind: abstract new () => T): T;
export function element(id: string, kind: abstract new () => HTMLElement = HTMLElement): HTMLElement {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`the page has no ${kind.name} #${id}`);
}

/** Replaces what is in an element: the one place where text becomes elements, and only markup, which is escaped, can. */
export function put(target: Element, { markup }: Markup): void {
  target.innerHTML = markup;
}
