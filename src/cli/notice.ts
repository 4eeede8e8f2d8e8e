import { changeKinds, totalOf, type ChangeCounts } from '../api/change-kinds.ts';
import type { ChangeRecord } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { escapeMarkdown, printable } from '../problem/problem.ts';
import { count, plural, shorten } from '../problem/text.ts';
import {
  addressOfChange,
  describeChange,
  nameOfChange,
  type ChangedSite,
} from '../render/change-texts.ts';
import { changesPage } from '../render/links.ts';
import { describeCounts } from './report.ts';

/** Changes of a catalogue, to be sent to people. */
export interface News extends ChangedSite {
  readonly name: string;
  readonly changes: readonly ChangeRecord[];
  /** The numbers of all changes, of which `changes` may be a part. */
  readonly counts: ChangeCounts;
}

/** With a title, an empty line and the number of the others, a message has at most 20 lines. */
const maxListed = 17;

/** Discord refuses a message of more than 2,000 characters. */
const maxCharacters = 1850;

/**
 * Returns the body of a request to any webhook: Slack and Teams read `text`, Discord reads
 * `content`. No text in it notifies a person or a channel.
 */
export function webhookBody(news: News): string {
  const [text, content] = [escapeEntities, escapeDiscord].map((escape) => {
    const title = `${escape(titleOf(news))} – ${pageOf(news)}`;
    const line = (kind: string, name: string) => `• ${kind}: ${escape(name)}`;
    const lines = linesOf(news, { line, escape, bullet: '• ' }, title.length);
    return [title, ...lines].join('\n');
  });
  return JSON.stringify({
    text,
    content,
    allowed_mentions: { parse: [] },
  });
}

/** Teams reads a link of Markdown, and Slack shows backslashes, so a word joiner breaks the link. */
function escapeEntities(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\](?=[([])/g, ']\u2060');
}

function escapeDiscord(text: string): string {
  return printable(text).replace(/[\\`*_~|[\]<>@#]/g, '\\$&');
}

/** Returns the message as Markdown, with a link for each event. */
export function markdownNotice(news: News): string {
  const percentEncode = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
  const link = (text: string, url: string) => {
    const address = url.replace(/[()<>\s\\]/g, percentEncode);
    return `[${escapeMarkdown(text)}](${address})`;
  };
  const line = (kind: string, name: string, address: string) =>
    `- **${kind}** ${link(name, address)}`;
  const style = { line, escape: escapeMarkdown, bullet: '- ' };
  const lines = linesOf(news, style, 0);
  return `## ${link(titleOf(news), pageOf(news))}\n\n${lines.join('\n')}\n`;
}

interface Style {
  readonly line: (kind: string, name: string, address: string) => string;
  readonly escape: (text: string) => string;
  readonly bullet: string;
}

/**
 * Lists as many changes as a message may have after `length` characters, and the number of the
 * others.
 */
function linesOf(news: News, style: Style, length: number): string[] {
  const lines: string[] = [];
  let room = maxCharacters - length;
  let more = totalOf(news.counts);
  for (const group of groupChanges(news.changes).slice(0, maxListed)) {
    const line = lineOf(group, news, style);
    room -= line.length + 1;
    if (room < 0) break;
    more -= group.length;
    lines.push(line);
  }
  if (more === 0) return lines;
  return [...lines, `${style.bullet}${count(more)} more`];
}

/**
 * Orders changes by kind. The events of a subject that came or went are one group; every other
 * change is its own.
 */
function groupChanges(changes: readonly ChangeRecord[]): readonly (readonly ChangeRecord[])[] {
  const subjects = groupBy(changes, ({ genre, subject }) => `${genre}/${subject.id}`);
  const groups: (readonly ChangeRecord[])[] = [];
  for (const group of subjects.values()) {
    const kinds = new Set(group.map(({ kind }) => kind));
    const isWhole = kinds.size === 1 && (kinds.has('added') || kinds.has('removed'));
    if (isWhole) groups.push(group);
    else for (const change of group) groups.push([change]);
  }
  const rank = ([first]: readonly ChangeRecord[]) =>
    first === undefined ? -1 : changeKinds.indexOf(first.kind);
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

function lineOf(
  [first, ...rest]: readonly ChangeRecord[],
  news: News,
  { line, escape, bullet }: Style,
): string {
  if (first === undefined) return '';
  if (rest.length > 0) {
    const subject = escape(first.subject.name);
    return `${bullet}${subject}: ${rest.length + 1} events ${first.kind}`;
  }
  const [kind, name] = nameOfChange(first);
  const start = line(kind, shorten(name), addressOfChange(first, news));
  return `${start} ${escape(describeChange(first))}`;
}

function titleOf({ name, counts }: News): string {
  const total = totalOf(counts);
  const kinds = total > 1 ? ` (${describeCounts(counts)})` : '';
  return `${shorten(name)}: ${plural(total, 'change')}${kinds}`;
}

function pageOf({ baseUrl, hasFile }: News): string {
  const hasPage = hasFile(`${changesPage}index.html`);
  return `${baseUrl}/${hasPage ? changesPage : ''}`;
}
