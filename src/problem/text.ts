const maxQuoteLength = 80;
const maxTextLength = 400;

/** Quotes text from outside, cut to 80 characters. */
export function quote(text: string): string {
  return `"${cut(text, maxQuoteLength)}"`;
}

/** Cuts text from outside to 400 characters. */
export function shorten(text: string): string {
  return cut(text, maxTextLength);
}

function cut(text: string, length: number): string {
  const characters = [...text];
  if (characters.length > length) return `${characters.slice(0, length).join('')}…`;
  return text;
}

/** Formats a whole number with commas between thousands: `1,234`. */
export function count(value: number): string {
  // Intl takes 15 ms to load its data.
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a number with its English noun: `1 event`, `1,578 events`, `2 categories`. */
export function plural(amount: number, noun: string): string {
  const nouns = /[^a]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count(amount)} ${amount === 1 ? noun : nouns}`;
}

/** Formats a time span in milliseconds in the largest unit that fits, such as `3 days`. */
export function period(milliseconds: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const;
  const [unit, length] = units.find(([, size]) => milliseconds >= size) ?? ['second', 1000];
  return plural(Math.floor(milliseconds / length), unit);
}

/** Formats a code point: `U+00E9`. */
export function unicode(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
