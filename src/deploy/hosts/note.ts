import type { HostFiles } from './host.ts';

/** For a host that only keeps files there is nothing to set up, so what it is given is what to know. */
export function noteFor(title: string, lines: readonly string[]): HostFiles {
  const text = [`# ${title}`, '', pathForm, '', ...lines, ''].join('\n');
  return () => ({ 'README.md': text });
}

const pathForm =
  'It serves files and ignores queries: ask in the path form (`api/v1/genre/{genre}/events.json`). ' +
  'Every list says in `filters` which question it answers.';
