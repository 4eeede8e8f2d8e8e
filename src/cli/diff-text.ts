import type { EventRecord } from '../api/documents.ts';
import { printable } from '../problem/problem.ts';
import type { Comparison, Moved } from '../deploy/diff.ts';
import { plural } from './report.ts';

/** The most lines that one section shows to a person. */
const mostLines = 200;

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A comparison for a terminal. */
export function asText(comparison: Comparison): string {
  const parts = sectionsOf(comparison, printable).map(({ title, lines }) => `${title}\n${listed(lines, '  ')}`);
  return [...orNothing(parts), `${footOf(comparison)}\n`].join('\n');
}

/** A comparison as Markdown; what comes from data is escaped. */
export function asMarkdown(comparison: Comparison): string {
  const parts = sectionsOf(comparison, escaped).map(({ title, lines }) => `### ${title}\n\n${listed(lines, '- ')}`);
  return [...orNothing(parts), `${footOf(comparison)}\n`].join('\n');
}

function orNothing(parts: readonly string[]): readonly string[] {
  return parts.length > 0 ? parts : ['No event changed.\n'];
}

function listed(lines: readonly string[], mark: string): string {
  const more = lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : [];
  return [...lines.slice(0, mostLines), ...more].map((line) => `${mark}${line}\n`).join('');
}

/** Markdown's own marks lose their meaning. */
function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#+!|~&:@-]/g, '\\$&');
}

function sectionsOf(comparison: Comparison, safe: (text: string) => string): Section[] {
  const { categories, genres, subjects, capped } = comparison;
  // What has the characters of a date alone is harmless as it stands.
  const when = (text: string): string => (/^[\dTZ:.-]+$/.test(text) ? text : safe(text));
  const event = (found: EventRecord): string => `${when(startOf(found))} ${safe(nameOf(found))} (${safe(found.id)})`;
  const pair = (found: Moved): string => `${safe(nameOf(found.new))} (${safe(found.id)})`;
  const names = [
    ['Categories', categories],
    ['Genres', genres],
    ['Subjects', subjects],
  ] as const;
  const sections = [
    section('added', 'event', comparison.added.map(event)),
    section('removed', 'event', comparison.removed.map(event)),
    section('cancelled', 'event', comparison.cancelled.map(event)),
    section(
      'moved',
      'event',
      comparison.moved.map((found) => `${when(startOf(found.old))} → ${when(startOf(found.new))} ${pair(found)}`),
    ),
    section(
      'changed',
      'event',
      comparison.changed.map((found) => `${pair(found)}: ${found.fields.map(safe).join(', ')}`),
    ),
    ...names.flatMap(([title, { added, removed }]) => ({
      title,
      lines: [...added.map((id) => `added ${safe(id)}`), ...removed.map((id) => `removed ${safe(id)}`)],
    })),
    {
      title: 'Compared in part, since not every event is listed; what is missing may have moved beyond the list',
      lines: capped.map(
        ({ genre, compared_until: until, total }) =>
          `${safe(genre)}: event by event until ${when(until)}, in all ${safe(`${total.old} → ${total.new}`)}`,
      ),
    },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

function section(what: string, noun: string, lines: readonly string[]): Section {
  return { title: `${plural(lines.length, noun)} ${what}`, lines };
}

function nameOf({ subject, title }: EventRecord): string {
  return `${subject.name}: ${title}`;
}

/** The time rule (specification 1): where the time is not known, the date alone. */
function startOf({ time_known, date, starts_at }: EventRecord): string {
  return time_known ? starts_at : date;
}

const nouns = [
  ['categories', 'category'],
  ['genres', 'genre'],
  ['subjects', 'subject'],
  ['upcoming', 'upcoming event'],
] as const;

function footOf({ totals, passed }: Comparison): string {
  const counts = nouns.map(([name, noun]) => {
    const [old, now] = [totals.old[name], totals.new[name]];
    return `${old === now ? '' : `${old.toLocaleString('en-US')} → `}${plural(now, noun)}`;
  });
  return `In all: ${counts.join(', ')}. ${plural(passed, 'event')} went by.`;
}
