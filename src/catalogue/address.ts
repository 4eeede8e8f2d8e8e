/**
 * An address as its parts, one that is relative by where it stands; null where it is none. In place of `URL.canParse`:
 * once Node 20 has compiled what calls that often, it takes the bytes of Latin-1 for UTF-8, refuses `https://exämple.org`
 * and accepts hosts that there can't be. It is right of ASCII alone.
 */
export function readAddress(written: string, from?: string): URL | null {
  try {
    return new URL(written, from);
  } catch {
    return null;
  }
}
