import { abilities, type Ability, type Host } from '../../src/deploy/hosts/host.ts';

/** The table of hosts in README.md, from what each declares. */
export function hostTable(hosts: readonly Host[]): string {
  const words = (of: readonly Ability[]): string => of.map((ability) => abilities[ability]).join(', ') || 'nothing';
  const rows = hosts.map((host) => [
    `[${host.title}](#${anchor(host)})`,
    `\`almanac host ${host.name}\``,
    words(host.unsupported),
    words(host.untested),
    host.testedWith,
    limitsOf(host),
  ]);
  const head = ['host', 'command', 'lacks', 'not tested here', 'tested with', 'takes at most'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The heading of a host's section, as GitHub turns it into a link. */
function anchor({ title }: Host): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function limitsOf({ limits }: Host): string {
  if (limits === null) return 'no published limit';
  const most = [
    limits.files === null ? [] : [`${limits.files.toLocaleString('en-US')} files`],
    limits.bytes === null ? [] : [sizeOf(limits.bytes)],
    limits.fileBytes === null ? [] : [`${sizeOf(limits.fileBytes)} a file`],
  ].flat();
  return `[${most.join(', ')}](${limits.source})`;
}

function sizeOf(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`;
  return bytes < 1e9 ? `${bytes / 1e6} MB` : `${bytes / 1e9} GB`;
}
