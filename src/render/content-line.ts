/** Escapes a text for a calendar (RFC 5545, 3.3.11). Line feeds are the only control characters in sources. */
export function escapeText(text: string): string {
  return /[\\;,\n]/.test(text) ? text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n') : text;
}

/** The maximum number of octets of a line without its CRLF. The space that begins a continuation counts. */
const maxOctets = 75;

/** Writes a property as a content line with its CRLF, folded if it is long (RFC 5545, section 3.1). */
export function contentLine(name: string, value: string): string {
  const line = `${name}:${value}`;
  // A code unit outside ASCII takes at most three octets.
  const isShort = line.length <= maxOctets && (line.length * 3 <= maxOctets || /^[ -~]*$/.test(line));
  return `${isShort ? line : fold(line)}\r\n`;
}

function fold(line: string): string {
  let [text, octets] = ['', 0];
  for (const character of line) {
    const length = octetsOf(character.codePointAt(0) ?? 0);
    if (octets + length > maxOctets) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += length;
  }
  return text;
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
