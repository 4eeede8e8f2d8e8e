import { maxNameCharacters, readChoice, statuses } from './schema/rules.ts';

const marked = String.raw`[*!()[\]]+`;
/** `CANCELLED: Tosca`, `[Abgesagt] Tosca`, `Annulé - Tosca`, `ENTFÄLLT Tosca` */
const inFront = [
  new RegExp(
    String.raw`^(?:${marked}\s*)?(?<word>\p{L}[\p{L} ']{3,20}?)(?:\s*${marked}:?|\s*:|\s[–—-])\s+(?<rest>\S.*)$`,
    'su',
  ),
  /^(?<word>\p{Lu}{5,20})\s+(?<rest>\S.*)$/su,
];
/** `Tosca (abgesagt)`, `Tosca - CANCELLED` */
const atEnd = new RegExp(
  String.raw`^(?<rest>.*\S)(?:\s*[[(*]+|\s[–—-]\s)\s*(?<word>\p{L}[\p{L} ']{3,20})\s*(?:${marked})?$`,
  'su',
);

/** A title that says that its event is off, without the words for that. */
interface TitleStatus {
  readonly title: string;
  readonly status: 'cancelled' | 'postponed';
}

/** Returns what a title says of the status of its event, or null: `Tosca (abgesagt)`. */
export function statusInTitle(title: string): TitleStatus | null {
  if (title.length > maxNameCharacters) return null;
  for (const pattern of [...inFront, atEnd]) {
    const { word = '', rest = '' } = pattern.exec(title.trim())?.groups ?? {};
    const status = readChoice(word.replace(eventWord, ''), statuses);
    if (status === 'cancelled' || status === 'postponed') return { title: rest.trim(), status };
  }
  return null;
}

/** Google's word for an event: `Canceled event: Tosca`. */
const eventWord = /\s+event$/i;
