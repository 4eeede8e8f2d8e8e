import type { Content } from '../api/site-file.ts';

/** Returns a UTF-8 encoder with one buffer, which is three times as fast. A result is valid until the next call. */
export function encoder(): (content: Content) => Buffer {
  let buffer = Buffer.allocUnsafe(256 * 1024);
  return (content) => {
    if (content instanceof Uint8Array) return Buffer.from(content.buffer, content.byteOffset, content.length);
    const parts = typeof content === 'string' ? [content] : content;
    const size = maxBytes(parts);
    if (size > buffer.length) buffer = Buffer.allocUnsafe(size);
    let length = 0;
    for (const part of parts) length += buffer.write(part, length);
    return buffer.subarray(0, length);
  };
}

/** A UTF-16 code unit takes at most three bytes. */
function maxBytes(parts: readonly string[]): number {
  let units = 0;
  for (const part of parts) units += part.length;
  return units * 3;
}
