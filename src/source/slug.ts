/**
 * A title as an id: NFKD, marks dropped, lower case, every run outside a-z and 0-9 a hyphen, none at the ends.
 * Empty where no letter or digit is left.
 */
export function slug(text: string): string {
  const plain = ascii.test(text) ? text : text.replace(others, fold);
  if (plain.length > scratch.length) scratch = Buffer.alloc(plain.length * 2);
  let length = 0;
  let isGap = false;
  for (let index = 0; index < plain.length; index++) {
    const kept = slugCodes[plain.charCodeAt(index)] ?? 0;
    if (kept !== 0) {
      if (isGap && length > 0) scratch[length++] = hyphen;
      scratch[length++] = kept;
    }
    isGap = kept === 0;
  }
  return scratch.toString('latin1', 0, length);
}

let scratch = Buffer.alloc(256);

// eslint-disable-next-line no-control-regex -- all of ASCII
const [ascii, others] = [/^[\u0000-\u007f]*$/, /[^\u0000-\u007f]/gu];
const hyphen = '-'.charCodeAt(0);

/** What each ASCII character is in a slug: itself, its lower case or, as 0, a part of a hyphen. */
const slugCodes = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

const folded = new Map<string, string>();

/** What another character is: the letters and digits that NFKD makes of it, nothing where it is a mark. Each is made once. */
function fold(character: string): string {
  let kept = folded.get(character);
  if (kept === undefined) {
    const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    folded.set(character, (kept = plain.replace(/[^a-z0-9]/gu, '-')));
  }
  return kept;
}
