import { resolve } from 'node:path';
import { changeKinds, totalOf } from '../api/change-kinds.ts';
import type { ChangeRecord } from '../api/documents.ts';
import type { BuildReport } from '../builder/build.ts';
import { escapeMarkdown, printable, problemMessage } from '../problem/problem.ts';
import { count, plural } from '../problem/text.ts';
import { isAddress } from '../site/site.ts';
import type { Command, OptionTable, Values } from './command.ts';
import { printResult, withProgress } from './report.ts';
import { chooseNow, common, baseUrlOption, siteValue, output } from './settings.ts';
import { dataFolder, generator } from './shell.ts';

const table = {
  markdown: {
    flag: '--markdown',
    help: 'print Markdown, as for the summary of a pull request',
  },
  data: common.data,
  baseUrl: common.baseUrl,
  now: common.now,
  ...output,
} as const satisfies OptionTable;
type Options = Values<typeof table>;

export const diff: Command<Options> = {
  name: 'diff',
  summary:
    'show what building data/ would change in a site: events added, removed, moved, changed or cancelled',
  arguments: [
    {
      flag: 'SITE',
      help: 'a site: a folder or an http or https address',
      ...siteValue,
    },
  ],
  options: table,
  examples: `  almanac diff https://example.org/almanac   what publishing data/ would change
  almanac diff dist --markdown               for people
Nothing is written. Events that are over by --now (default: the clock) are no change, and neither is a rename with
"formerly". What was probably renamed without it is listed too.
`,
  async run(shell, [site = ''], options) {
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
        baseUrl: baseUrlOption(shell, options.baseUrl),
        now,
        dryRun: true,
        cwd: shell.cwd,
        onGenre,
      }),
    );
    const { totals, totalsBefore, changes, counts, warnings } = report;
    // What is not in a file of the data is about the difference.
    const dataWarnings = warnings.filter(({ place }) => place !== null);
    const notes = warnings
      .filter(({ place }) => place === null)
      .map((warning) => problemMessage(warning));
    const catalogue = {
      old: totalsBefore,
      new: { ...totals, last_sync: report.lastSync },
    };
    const document = {
      site,
      catalogue,
      count: counts && totalOf(counts),
      counts,
      changes: changes?.changes ?? [],
    };
    const text = describeReport(report, notes, changeTexts, options.markdown === true);
    printResult(shell, options, {
      document,
      text,
      warnings: options.json ? warnings : dataWarnings,
    });
  },
};

const maxLines = 200;

type ChangeTexts = typeof import('../render/change-texts.ts');

function describeReport(
  report: BuildReport,
  notes: readonly string[],
  { describeChange }: ChangeTexts,
  isMarkdown: boolean,
): string {
  const escape = isMarkdown ? escapeMarkdown : printable;
  const sections = sectionsOf(report, (change) => lineOf(change, describeChange(change), escape));
  if (notes.length > 0) sections.push(sectionOf('Notes', notes.map(escape), notes.length));
  const texts = sections.map(({ title, lines, more }) => {
    const linesAndRest = more > 0 ? [...lines, `and ${count(more)} more`] : lines;
    const list = linesAndRest.map((line) => `${isMarkdown ? '- ' : '  '}${line}\n`).join('');
    if (isMarkdown) return `### ${title}\n\n${list}`;
    return `${title}\n${list}`;
  });
  return [...texts, totalsLine(report)].join('\n');
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** The number of those that are not shown. */
  readonly more: number;
}

function sectionOf(title: string, lines: readonly string[], total: number): Section {
  const firstLines = lines.slice(0, maxLines);
  return {
    title,
    lines: firstLines,
    more: total - firstLines.length,
  };
}

/** Returns a section for each kind of change that there is. */
function sectionsOf(
  { changes, counts }: BuildReport,
  toLine: (change: ChangeRecord) => string,
): Section[] {
  if (counts === null) return [];
  if (totalOf(counts) === 0) return [sectionOf('No event changes.', [], 0)];
  const sections: Section[] = [];
  for (const kind of changeKinds) {
    const total = counts[kind] ?? 0;
    // There may be more changes than a log holds.
    const examples = changes?.changes.filter((change) => change.kind === kind) ?? [];
    const title = `${plural(total, 'event')} ${kind}`;
    if (total > 0) sections.push(sectionOf(title, examples.map(toLine), total));
  }
  return sections;
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
    const old = totalsBefore?.[name] ?? totals[name];
    const next = totals[name];
    return `${old === next ? '' : `${count(old)} → `}${plural(next, noun)}`;
  });
  return `In all: ${counts.join(', ')}.\n`;
}
