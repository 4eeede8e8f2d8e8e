import { all, find } from './dom.ts';

/** `/` goes to the search field, `j` and `k` to the next and the previous event. */
export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || (target instanceof Element && target.closest('input, select, textarea')))
      return;
    if (key === '/') find('q')?.focus();
    else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1);
    else return;
    event.preventDefault();
  });
}

function move(step: 1 | -1): void {
  const stops = all('.e > .t[href], .run > details > summary, .hit h2 > a:first-child').filter(
    (one) => one.offsetParent !== null,
  );
  const row = document.activeElement?.closest('.e');
  const at = stops.findIndex((one) => one === document.activeElement || (row !== null && one.closest('.e') === row));
  const next = stops[at === -1 ? (step === 1 ? 0 : stops.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
