/** Returns a title as an id: a-z and 0-9, with a hyphen for every run of others. Empty if nothing remains. */
export function slug(text: string): string {
  if (text.length > scratch.length) scratch = Buffer.alloc(text.length * 2);
  let length = 0;
  let isGap = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kept = cache[code] || compute(code);
    if (kept === several) return slug(text.replace(nonAscii, fold));
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

// eslint-disable-next-line no-control-regex -- all characters that are not ASCII
const nonAscii = /[^\u0000-\u007f]/gu;
const hyphen = '-'.charCodeAt(0);

/** A cache of what each code unit becomes: a letter or digit, or one of the three below. 0 means not computed yet. */
const cache = new Uint8Array(0x10000);
const [gap, nothing, several] = [1, 2, 3] as const;

function compute(code: number): number {
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  const folded = fold(String.fromCharCode(code));
  const one = folded === '' ? nothing : folded === '-' ? gap : folded.charCodeAt(0);
  return (cache[code] = isHalf || folded.length > 1 ? several : one);
}

/** Returns what a character becomes in a slug: letters and digits, a hyphen for other characters, nothing for marks. */
function fold(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-');
}

/** `board-games` → `Board games`. */
export function nameOfSlug(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[-_]+/g, ' ');
}
