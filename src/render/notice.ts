import type { ChangeRecord } from '../api/documents.ts';
import { escapeMarkdown } from '../problem/problem.ts';
import { shorten } from '../problem/text.ts';
import { addressOfChange, describeChange, nameOfChange, type ChangedSite } from './change-texts.ts';
import { changesPage } from './links.ts';

/** Changes of a catalogue, to be sent to people. */
interface News extends ChangedSite {
  readonly name: string;
  /** In the order of the change log. */
  readonly changes: readonly ChangeRecord[];
}

/** The forms of a message. All but Markdown are the body of a request to a webhook. */
export const noticeForms = { slack: slackMessage, discord: discordMessage, json: jsonMessage, markdown: markdownText };
export type NoticeForm = keyof typeof noticeForms;

const maxListed = 20;

/** The most characters of the listed changes. Discord refuses a list of more than 4,096, and Slack cuts it. */
const maxCharacters = 3500;

function slackMessage(news: News): string {
  const slackUrl = (url: string): string => slackText(url.replace(/[|<>]/g, encodeURIComponent));
  const link = (text: string, url: string): string => `<${slackUrl(url)}|${slackText(text)}>`;
  const lines = linesOf(news, { link, strong: (text) => `*${text}*`, escape: slackText, bullet: '• ' });
  return JSON.stringify({ text: `*${slackText(titleOf(news))}*\n${lines}` });
}

function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An embed, because its list may be longer than the text of a message. No text in it notifies a person. */
function discordMessage(news: News): string {
  const embed = { title: titleOf(news), url: pageOf(news), description: linesOf(news, markdown) };
  return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } });
}

function jsonMessage(news: News): string {
  const { name, baseUrl, changes } = news;
  const listed = changes.slice(0, maxListed);
  const counts = { total: changes.length, more: changes.length - listed.length };
  return JSON.stringify({ catalogue: name, base_url: baseUrl, url: pageOf(news), ...counts, changes: listed });
}

function markdownText(news: News): string {
  return `## ${escapeMarkdown(titleOf(news))}\n\n${linesOf(news, markdown)}\n`;
}

interface Style {
  readonly link: (text: string, url: string) => string;
  readonly strong: (text: string) => string;
  readonly escape: (text: string) => string;
  readonly bullet: string;
}

const markdown: Style = {
  link: (text, url) => `[${escapeMarkdown(text)}](${url.replace(/[()<>\s\\]/g, percent)})`,
  strong: (text) => `**${text}**`,
  escape: escapeMarkdown,
  bullet: '- ',
};

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Lists as many changes as a message may have, and the number of the others. */
function linesOf(news: News, { link, strong, escape, bullet }: Style): string {
  const { changes } = news;
  const lines: string[] = [];
  let length = 0;
  for (const change of changes.slice(0, maxListed)) {
    const [kind, name] = nameOfChange(change);
    const linked = link(shorten(name), addressOfChange(change, news));
    const line = `${bullet}${strong(kind)} ${linked} ${escape(describeChange(change))}`;
    if (length + line.length > maxCharacters) break;
    length += line.length + 1;
    lines.push(line);
  }
  const more = changes.length - lines.length;
  return [...lines, ...(more === 0 ? [] : [bullet + link(`${more} more`, pageOf(news))])].join('\n');
}

function titleOf({ name, changes }: News): string {
  return `${shorten(name)}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
}

/** Returns the address of the page of all changes, or of the home page. */
function pageOf({ baseUrl, hasFile }: News): string {
  return `${baseUrl}/${hasFile(`${changesPage}index.html`) ? changesPage : ''}`;
}
