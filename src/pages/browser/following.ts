import { all, find, write } from './dom.ts';
import { follow, followed } from './memory.ts';
import { site, speech } from './page.ts';

const here = site.pathname;

/** Makes the buttons work that follow something or copy a text. */
export function startFollowing(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('[data-follow]');
    if (button !== null) toggle(button.dataset['follow'] ?? '', button.dataset['name'] ?? '');
    const copied = target.closest<HTMLElement>('[data-copy]');
    if (copied !== null) void copy(copied, copied.dataset['copy'] ?? '');
  });
  addEventListener('storage', showFollowed);
  showFollowed();
}

function toggle(key: string, name: string): void {
  const { [key]: known, ...others } = followed(here);
  follow(here, known === undefined ? { ...others, [key]: name } : others);
  showFollowed();
}

/** Marks what is followed, and counts it in the bar. */
export function showFollowed(): void {
  const names = followed(here);
  const count = Object.keys(names).length;
  write(find('followed'), count === 0 ? '' : String(count));
  for (const button of all('[data-follow]')) {
    const isFollowed = (button.dataset['follow'] ?? '') in names;
    if (button.ariaPressed === String(isFollowed)) continue;
    button.ariaPressed = String(isFollowed);
    const label = button.querySelector('.label');
    if (label === null) continue;
    write(button.querySelector('[aria-hidden]'), isFollowed ? '★' : '☆');
    const name = button.dataset['name'] ?? '';
    write(label, speech.text(isFollowed ? 'following' : 'follow'));
    button.ariaLabel = isFollowed ? `${speech.text('following')}: ${name}` : speech.text('followName', { name });
  }
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const before = button.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = speech.text('copied');
  } catch {
    button.textContent = text;
  }
  setTimeout(() => (button.textContent = before), 2000);
}
