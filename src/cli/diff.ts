import { resolve } from 'node:path';
import type { ChangeRecord } from '../api/documents.ts';
import type { BuildReport } from '../builder/build.ts';
import { escapeMarkdown, printable, problemMessage } from '../problem/problem.ts';
import { count, plural } from '../problem/text.ts';
import { groupBy } from '../catalogue/group.ts';
import { isAddress } from '../site/site.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { printResult, withProgress } from './report.ts';
import { chooseNow, common, givenBaseUrl, siteValue } from './settings.ts';
import { dataFolder, generator, type Shell } from './shell.ts';

const table = {
  markdown: { flag: '--markdown', help: 'print Markdown, as for the summary of a pull request' },
  data: common.data,
  baseUrl: common.baseUrl,
  now: common.now,
  json: common.json,
  quiet: common.quiet,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const diff: Command<Options> = {
  name: 'diff',
  summary:
    'show what building data/ would change in a site: events added, removed, moved, changed or cancelled',
  arguments: [{ flag: 'SITE', help: 'a site: a folder or an http or https address', ...siteValue }],
  options: table,
  examples: `  almanac diff https://example.org/almanac   what publishing data/ would change
  almanac diff dist --markdown               for people
Nothing is written. Events that are over by --now (default: the clock) are no change, and neither is a rename with
"formerly". What was probably renamed without it is listed too.
`,
  run: runDiff,
};

async function runDiff(
  shell: Shell,
  [site = '']: readonly string[],
  options: Options,
): Promise<void> {
  const [{ build }, changeTexts] = await Promise.all([
    import('../builder/build.ts'),
    import('../render/change-texts.ts'),
  ]);
  const now = await chooseNow(shell, options.now);
  const report = await withProgress(shell, options, 'genre', (onGenre) =>
    build({
      ...dataFolder(shell, options.data),
      previous: { at: site, isNamed: true },
      acceptLoss: true,
      isNowGiven: options.now !== undefined,
      out: resolve(shell.cwd, isAddress(site) ? 'dist' : site),
      generator,
      assets: [],
      baseUrl: givenBaseUrl(shell, options.baseUrl),
      now,
      dryRun: true,
      cwd: shell.cwd,
      onGenre,
    }),
  );
  const { totals, totalsBefore, changes, changeCount, warnings } = report;
  // What is not in a file of the data is about the difference.
  const others = warnings.filter(({ place }) => place !== null);
  const notes = warnings
    .filter(({ place }) => place === null)
    .map((warning) => problemMessage(warning));
  const catalogue = { old: totalsBefore, new: { ...totals, last_sync: report.lastSync } };
  const document = { site, catalogue, count: changeCount, changes: changes?.changes ?? [] };
  const text = describeReport(report, notes, changeTexts, options.markdown === true);
  printResult(shell, options, document, text, options.json ? warnings : others);
}

const maxLines = 200;

type ChangeTexts = typeof import('../render/change-texts.ts');

function describeReport(
  report: BuildReport,
  notes: readonly string[],
  { changeKinds, describeChange }: ChangeTexts,
  isMarkdown: boolean,
): string {
  const escape = isMarkdown ? escapeMarkdown : printable;
  const sections = sectionsOf(report, changeKinds, (change) =>
    lineOf(change, describeChange(change), escape),
  );
  if (notes.length > 0) sections.push(['Notes', notes.map(escape)]);
  const texts = sections.map(([title, lines]) =>
    isMarkdown ? `### ${title}\n\n${listOf(lines, '- ')}` : `${title}\n${listOf(lines, '  ')}`,
  );
  return [...texts, totalsLine(report)].join('\n');
}

function listOf(lines: readonly string[], bullet: string): string {
  const more = lines.length > maxLines ? [`and ${count(lines.length - maxLines)} more`] : [];
  return [...lines.slice(0, maxLines), ...more].map((line) => `${bullet}${line}\n`).join('');
}

type Section = readonly [title: string, lines: readonly string[]];

/** Returns a section for each kind of change that there is. */
function sectionsOf(
  { changes, changeCount }: BuildReport,
  kinds: ChangeTexts['changeKinds'],
  toLine: (change: ChangeRecord) => string,
): Section[] {
  const byKind = groupBy(changes?.changes ?? [], ({ kind }) => kind);
  const sections = kinds.flatMap((kind): Section[] => {
    const found = byKind.get(kind) ?? [];
    return found.length === 0
      ? []
      : [[`${plural(found.length, 'event')} ${kind}`, found.map(toLine)]];
  });
  const more = (changeCount ?? 0) - (changes?.changes.length ?? 0);
  if (more > 0) sections.push([plural(more, 'more change'), []]);
  return changeCount === 0 ? [['No event changes.', []]] : sections;
}

/** Writes a change as a line. `escape` makes text from the data safe to print. */
function lineOf(
  { id, title, subject }: ChangeRecord,
  description: string,
  escape: (text: string) => string,
): string {
  // Times need no escaping.
  const when = /^[\w: →+/-]+$/.test(description) ? description : escape(description);
  return `${when} ${escape(`${subject.name}: ${title}`)} (${escape(id)})`;
}

const nouns = [
  ['categories', 'category'],
  ['genres', 'genre'],
  ['subjects', 'subject'],
  ['upcoming', 'upcoming event'],
] as const;

function totalsLine({ totals, totalsBefore }: BuildReport): string {
  const counts = nouns.map(([name, noun]) => {
    const [old, next] = [totalsBefore?.[name] ?? totals[name], totals[name]];
    return `${old === next ? '' : `${count(old)} → `}${plural(next, noun)}`;
  });
  return `In all: ${counts.join(', ')}.\n`;
}
