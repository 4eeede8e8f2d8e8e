import type { EventRecord } from '../api/documents.ts';
import type { Comparison } from '../site/diff.ts';
import type { Rename } from '../site/renames.ts';
import { escapeMarkdown, printable } from '../problem/problem.ts';
import { count } from '../problem/text.ts';
import type { Command } from './command.ts';
import { plural, printResult } from './report.ts';
import { chooseNow, common, openGivenSite, siteValue, type CommonOptions } from './settings.ts';
import type { Shell } from './shell.ts';

interface Options extends Pick<CommonOptions, 'now' | 'json' | 'quiet'> {
  readonly markdown?: true;
}

export const diff: Command<Options> = {
  name: 'diff',
  summary: 'show what changed between two sites: events added, removed, moved, changed or cancelled',
  arguments: [
    { flag: 'OLD', help: 'a site: a folder or an http or https address', ...siteValue },
    { flag: 'NEW', help: 'the site to compare it with', ...siteValue },
  ],
  options: {
    markdown: { flag: '--markdown', help: 'print Markdown, as for the summary of a pull request' },
    now: common.now,
    json: common.json,
    quiet: common.quiet,
  },
  examples: `  almanac diff https://example.org/almanac dist   what publishing dist/ would change
  almanac diff before after --markdown            for people
  almanac diff before after --json                for a program
Events that expired before --now (default: the clock) are counted, not listed.
What has a former id ("formerly") is compared under its new one. What was probably renamed without it is listed too.
`,
  run: runDiff,
};

async function runDiff(shell: Shell, [old = '', next = '']: readonly string[], options: Options): Promise<void> {
  const { compareSites } = await import('../site/diff.ts');
  const [before, after] = [openGivenSite(shell, old), openGivenSite(shell, next)];
  const comparison = await compareSites(before, after, await chooseNow(shell, options.now));
  const text = options.markdown ? asMarkdown(comparison) : asText(comparison);
  printResult(shell, options, { old: before.name, new: after.name, ...comparison }, text);
}

const maxLines = 200;

type Section = readonly [title: string, lines: readonly string[]];

function asText(comparison: Comparison): string {
  const sections = sectionsOf(comparison, printable).map(([title, lines]) => `${title}\n${listOf(lines, '  ')}`);
  return join(sections, comparison);
}

function asMarkdown(comparison: Comparison): string {
  const sections = sectionsOf(comparison, escapeMarkdown);
  const texts = sections.map(([title, lines]) => `### ${title}\n\n${listOf(lines, '- ')}`);
  return join(texts, comparison);
}

function join(sections: readonly string[], comparison: Comparison): string {
  return [...(sections.length > 0 ? sections : ['No event changed.\n']), totalsLine(comparison)].join('\n');
}

function listOf(lines: readonly string[], bullet: string): string {
  const more = lines.length > maxLines ? [`and ${lines.length - maxLines} more`] : [];
  return [...lines.slice(0, maxLines), ...more].map((line) => `${bullet}${line}\n`).join('');
}

/** Returns the sections that have lines. `escape` makes text from the sites safe to print. */
function sectionsOf(comparison: Comparison, escape: (text: string) => string): Section[] {
  // Dates need no escaping.
  const when = (text: string): string => (/^[\dTZ:.-]+$/.test(text) ? text : escape(text));
  const event = (record: EventRecord): string => `${when(startOf(record))} ${name(record)}`;
  const name = (record: EventRecord): string =>
    `${escape(`${record.subject.name}: ${record.title}`)} (${escape(record.id)})`;
  const idsIn = ({ added, removed }: Comparison['genres']): string[] => [
    ...added.map((id) => `added ${escape(id)}`),
    ...removed.map((id) => `removed ${escape(id)}`),
  ];
  const renamesIn = (lists: Readonly<Record<string, readonly Rename[]>>): string[] =>
    Object.values(lists).flatMap((list) => list.map((one) => `${escape(one.old)} → ${escape(one.new)}`));
  const moved = comparison.moved.map((pair) => `${when(startOf(pair.old))} → ${event(pair.new)}`);
  const changed = comparison.changed.map((pair) => `${name(pair.new)}: ${pair.fields.map(escape).join(', ')}`);
  const capped = comparison.capped.map(
    ({ genre, compared_until: until, total }) =>
      `${escape(genre)}: event by event until ${when(until)}, in all ${escape(`${total.old} → ${total.new}`)}`,
  );
  const sections = [
    section('added', comparison.added.map(event)),
    section('removed', comparison.removed.map(event)),
    section('cancelled', comparison.cancelled.map(event)),
    section('moved', moved),
    section('changed', changed),
    ['Categories', idsIn(comparison.categories)],
    ['Genres', idsIn(comparison.genres)],
    ['Subjects', idsIn(comparison.subjects)],
    ['Renamed', renamesIn(comparison.renamed)],
    [
      'Probably renamed: "formerly" in the file of a subject, or "id" of an event, would keep what subscribers have',
      renamesIn(comparison.perhaps_renamed),
    ],
    ['Compared in part, because lists have at most 200 events; a missing event may have moved beyond the end', capped],
  ] satisfies Section[];
  return sections.filter(([, lines]) => lines.length > 0);
}

function section(change: string, lines: readonly string[]): Section {
  return [`${plural(lines.length, 'event')} ${change}`, lines];
}

/** The start, or only the date if the time is not known (specification 1). */
function startOf({ time_known, date, starts_at }: EventRecord): string {
  return time_known ? starts_at : date;
}

const nouns = [
  ['categories', 'category'],
  ['genres', 'genre'],
  ['subjects', 'subject'],
  ['upcoming', 'upcoming event'],
] as const;

function totalsLine({ totals, passed }: Comparison): string {
  const counts = nouns.map(([name, noun]) => {
    const [old, now] = [totals.old[name], totals.new[name]];
    return `${old === now ? '' : `${count(old)} → `}${plural(now, noun)}`;
  });
  return `In all: ${counts.join(', ')}. ${plural(passed, 'event')} expired.\n`;
}
