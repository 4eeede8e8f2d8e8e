import type { Status } from '../catalogue/model.ts';
import { maxNameCharacters, readChoice, statuses } from './schema/rules.ts';

const marked = String.raw`[*!()[\]（）【】［］]+`;
const words = String.raw`(?<word>\p{L}[\p{L} ']{0,24}?)`;
/** `CANCELLED: Tosca`, `[Abgesagt] Tosca`, `Annulé - Tosca`, `Tosca (abgesagt)`, `Tosca - tbc` */
const asides = [
  new RegExp(
    String.raw`^(?:${marked}\s*)?${words}(?:\s*${marked}[:：]?\s*|\s*[:：]\s*|\s[–—-]\s+)(?<rest>\S.*)$`,
    'su',
  ),
  new RegExp(
    String.raw`^(?<rest>.*\S)(?:\s*[[(*（【［]+|\s[–—-]\s)\s*${words}\s*(?:${marked})?$`,
    'su',
  ),
];
/**
 * Only what is off is written so: `ENTFÄLLT Tosca`, `Tosca: abgesagt`, `Tosca fällt aus`, `Tosca is
 * cancelled`, and with a reason, which stays in the title, `Tosca (cancelled due to snow)`.
 */
const ofOff = [
  /^(?<word>\p{Lu}{5,20})\s+(?<rest>\S.*)$/su,
  /^(?<rest>.*[^\s:：])\s*[:：/|]\s+(?<word>\p{L}[\p{L} ']{0,24})[\s.!]*$/su,
  /^(?<rest>.*\S) (?:is |ist |est |wird |has been |(?=entf|fällt aus|findet nicht|n'a pas))(?<word>\p{L}[\p{L} ']{2,24})[.!]*$/isu,
  /^(?=(?<rest>.*)$).*[[(*（【［](?<word>\p{L}[\p{L}']*) (?!(?:from|vom|von|du|del|de) )[^\])*）】］]+[\])*）】］]$/su,
];
/** What may be about a part of the title: `Arsenal v (tbc)`, `Speaker (TBA)`, `新作（仮）`. */
const ofPart = /(?:[:–—-]|\b(?:vs?|with|mit|by|von|avec|con))\.?$/i;
const wordsOfPart = /^(?:tb[ad]|仮|未定)$/i;

/** A title that says the status of its event, without the words for that. */
interface TitleStatus {
  readonly title: string;
  readonly status: Exclude<Status, 'confirmed'>;
}

/** Returns what a title says of the status of its event, or null: `Tosca (abgesagt)`. */
export function statusInTitle(title: string): TitleStatus | null {
  if (title.length > maxNameCharacters) return null;
  for (const pattern of [...asides, ...ofOff]) {
    const { word = '', rest = '' } = pattern.exec(title.trim())?.groups ?? {};
    const status = readChoice(word.replace(eventWord, ''), statuses) as Status | null;
    if (status === null || status === 'confirmed') continue;
    const isCertain = ofOff.includes(pattern) || ofPart.test(rest) || wordsOfPart.test(word);
    if (status !== 'tentative' || !isCertain) return { title: rest.trim(), status };
  }
  return null;
}

/** Google's word for an event: `Canceled event: Tosca`. */
const eventWord = /\s+event$/i;
