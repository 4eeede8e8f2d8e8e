import type { Content } from './site-file.ts';

/**
 * Makes an encoder of contents as UTF-8. What it returns is good until its next call, which uses the same memory:
 * that is three times as fast as fresh memory, and leaves nothing to collect.
 */
export function encoder(): (content: Content) => Buffer {
  let buffer = Buffer.allocUnsafe(256 * 1024);
  return (content) => {
    const parts = typeof content === 'string' ? [content] : content;
    const most = mostBytes(parts);
    if (most > buffer.length) buffer = Buffer.allocUnsafe(most);
    let length = 0;
    for (const part of parts) {
      // By hand: the call takes longer than all else there is to do, and there are as many of them as records.
      if (part === ',') buffer[length++] = comma;
      else if (typeof part === 'string') length += buffer.write(part, length);
      else {
        buffer.set(part, length);
        length += part.length;
      }
    }
    return buffer.subarray(0, length);
  };
}

const comma = ','.charCodeAt(0);

/** A code unit takes three bytes at the most. */
function mostBytes(parts: readonly (string | Uint8Array)[]): number {
  let most = 0;
  for (const part of parts) most += typeof part === 'string' ? part.length * 3 : part.length;
  return most;
}
