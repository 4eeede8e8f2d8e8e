import type { EventRecord } from '../api/documents.ts';

/**
 * Escapes a text for a calendar (RFC 5545, 3.3.11). Line feeds are the only control characters in
 * sources.
 */
export function escapeText(text: string): string {
  if (/[\\;,\n]/.test(text)) return text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');
  return text;
}

/**
 * The maximum number of octets of a line without its CRLF. The space that begins a continuation
 * counts.
 */
const maxOctets = 75;

/**
 * Writes a property as a content line with its CRLF, folded if it is long (RFC 5545, section 3.1).
 */
export function contentLine(name: string, value: string): string {
  const line = `${name}:${value}`;
  // A code unit takes at most three octets.
  return `${line.length * 3 <= maxOctets ? line : fold(line)}\r\n`;
}

const encoder = new TextEncoder();
const octets = new Uint8Array(maxOctets);

function fold(line: string): string {
  // Encodes as many whole characters as fit into the array.
  let { read } = encoder.encodeInto(line, octets);
  let folded = line.slice(0, read);
  for (let rest = line.slice(read); rest !== ''; rest = rest.slice(read)) {
    ({ read } = encoder.encodeInto(rest, octets.subarray(1)));
    folded += `\r\n ${rest.slice(0, read)}`;
  }
  return folded;
}

/** Writes the status of an event (RFC 5545, 3.8.1.11), which has no word for a postponed one. */
export function statusLine(status: EventRecord['status']): string {
  return `STATUS:${status === 'postponed' ? 'TENTATIVE' : status.toUpperCase()}\r\n`;
}
