import { html, type Markup } from '../../render/html.ts';
import { all, put } from './dom.ts';

/** Makes the tabs of the code samples work, colours JSON, and marks the part of the reference that is being read. */
export function startReading(): void {
  for (const tabs of all('.tabs')) startTabs(tabs);
  for (const example of all('.example')) {
    const code = example.querySelector('code');
    const colour = (): void => {
      if (code !== null && code.childElementCount === 0) put(code, highlighted(code.textContent ?? ''));
    };
    if ((example as HTMLDetailsElement).open) colour();
    else example.addEventListener('toggle', colour, { once: true });
  }
  followScroll();
}

/** Renders JSON with different colours for keys, texts and other values. */
export function highlighted(json: string): Markup {
  const parts = json.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/);
  return html`${parts.map((part) => {
    if (!part.startsWith('"')) return part;
    return part.endsWith(':') ? html`<span class="key">${part}</span>` : html`<span class="text">${part}</span>`;
  })}`;
}

/** All groups show the language that was chosen in one of them. */
function startTabs(tabs: HTMLElement): void {
  tabs.addEventListener('click', ({ target }) => {
    const name = target instanceof HTMLElement ? target.dataset['tab'] : undefined;
    if (name !== undefined) for (const one of all('.samples')) choose(one, name);
  });
  tabs.addEventListener('keydown', ({ key, target }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const buttons = [...tabs.children] as HTMLElement[];
    const next = buttons[buttons.indexOf(target as HTMLElement) + step];
    if (step === 0 || next === undefined) return;
    next.click();
    next.focus();
  });
}

function choose(group: HTMLElement, name: string): void {
  const tabs = all('[role=tab]', group);
  if (!tabs.some((tab) => tab.dataset['tab'] === name)) return;
  for (const tab of tabs) {
    const isChosen = tab.dataset['tab'] === name;
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
  }
  for (const block of all(':scope > .code', group)) {
    block.classList.toggle('chosen', block.querySelector(`[data-language="${name}"]`) !== null);
  }
}

/** Marks the entry of the contents whose part is at the top of the window. */
function followScroll(): void {
  const links = new Map(all('.contents a').map((link) => [link.getAttribute('href')?.slice(1) ?? '', link]));
  const parts = all('.operation, .reference h2[id]').filter(({ id }) => links.has(id));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute('aria-current');
        const link = links.get(target.id);
        link?.setAttribute('aria-current', 'true');
        link?.scrollIntoView({ block: 'nearest' });
      }
    },
    { rootMargin: '0px 0px -75% 0px' },
  );
  for (const part of parts) observer.observe(part);
}
