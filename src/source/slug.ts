/**
 * A title as an id: NFKD, marks dropped, lower case, every run outside a-z and 0-9 a hyphen, none at the ends.
 * Empty where no letter or digit is left.
 */
export function slug(text: string): string {
  if (text.length > scratch.length) scratch = Buffer.alloc(text.length * 2);
  let length = 0;
  let isGap = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kept = learned[code] || learn(code);
    if (kept === several) return slug(text.replace(others, fold));
    if (kept === gap) isGap = length > 0;
    else if (kept !== nothing) {
      if (isGap) scratch[length++] = hyphen;
      scratch[length++] = kept;
      isGap = false;
    }
  }
  return scratch.toString('latin1', 0, length);
}

let scratch = Buffer.alloc(256);

// eslint-disable-next-line no-control-regex -- all but ASCII
const others = /[^\u0000-\u007f]/gu;
const hyphen = '-'.charCodeAt(0);

/** What each code unit becomes: a letter or digit, or one of the three below. 0 until it was met. */
const learned = new Uint8Array(0x10000);
const [gap, nothing, several] = [1, 2, 3] as const;

function learn(code: number): number {
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  const folded = fold(String.fromCharCode(code));
  const one = folded === '' ? nothing : folded === '-' ? gap : folded.charCodeAt(0);
  return (learned[code] = isHalf || folded.length > 1 ? several : one);
}

/** What a character is in a slug: the letters and digits that NFKD makes of it, a hyphen for others, nothing for marks. */
function fold(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-');
}
