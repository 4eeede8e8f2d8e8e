import { html, type Markup } from '../../render/html.ts';

/**
 * Replaces the content of an element. This is the only place where text becomes elements, and
 * markup is escaped.
 */
export function put(target: Element, { markup }: Markup): void {
  target.innerHTML = markup;
}

/** Returns the element with an id, or null on a page that has none. */
export function find(id: string): HTMLElement | null {
  return document.getElementById(id);
}

/** Returns the elements that match a selector. */
export function all(selector: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)];
}

/**
 * Sets the children of an element. What stands in its place already is not touched, because the
 * browser would paint it again.
 */
export function setChildren(parent: Element, children: readonly Element[]): void {
  const kept = new Set(children);
  const surplus = [...parent.children].filter((child) => !kept.has(child));
  for (const child of surplus) child.remove();
  for (const [index, child] of children.entries()) {
    const former = parent.children[index] ?? null;
    if (former !== child) parent.insertBefore(child, former);
  }
}

/** Replaces the elements in an element by those of some markup. Equal ones are not painted again. */
export function renew(target: Element, markup: Markup): void {
  const former = [...target.children];
  const next = [...create(html`<div>${markup}</div>`).children];
  setChildren(
    target,
    next.map((element) => former.find((old) => old.isEqualNode(element)) ?? element),
  );
}

/** Sets the text of an element if it differs, because screen readers read out every change. */
export function write(place: Element | null | undefined, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Returns the first element of some markup. */
export function create(markup: Markup): HTMLElement {
  const template = document.createElement('template');
  put(template, markup);
  return template.content.firstElementChild as HTMLElement;
}
