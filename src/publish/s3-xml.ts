/** An object in a listing. */
export interface StoredObject {
  /**
   * Without quotation marks. The MD5 of the content, unless the bucket encrypts with keys of its
   * own.
   */
  readonly etag: string;
  /** ISO 8601. */
  readonly modified: string;
}

interface Page {
  readonly objects: readonly (readonly [string, StoredObject])[];
  /** The token of the next page; null on the last one. */
  readonly next: string | null;
}

/** Reads a page of a listing. Returns null if it is incomplete or not a listing. */
export function readPage(xml: string): Page | null {
  if (!/<\/ListBucketResult>|<ListBucketResult\/>/.test(xml)) return null;
  try {
    const objects = xml.split('<Contents>').slice(1).map(readEntry);
    const isLast = xmlText(xml, 'IsTruncated') !== 'true';
    return {
      objects,
      next: isLast ? null : requireText(xml, 'NextContinuationToken'),
    };
  } catch {
    return null;
  }
}

/**
 * Reads an object of a listing. Its key is URL-encoded, as requested, so that it contains no
 * markup.
 */
function readEntry(xml: string): readonly [string, StoredObject] {
  const key = decodeURIComponent(requireText(xml, 'Key').replaceAll('+', ' '));
  return [
    key,
    {
      etag: unquote(requireText(xml, 'ETag')),
      modified: requireText(xml, 'LastModified'),
    },
  ];
}

function requireText(xml: string, name: string): string {
  const text = xmlText(xml, name);
  if (text === null) throw new Error(`no ${name}`);
  return text;
}

/** Returns the text of the first element of a name, or null if there is none. */
export function xmlText(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(#x?)?(\w+);/g, decodeReference) ?? null;
}

function decodeReference(reference: string, sign: string | undefined, name: string): string {
  if (sign === undefined) return entities.get(name) ?? reference;
  const character = parseInt(name, sign === '#x' ? 16 : 10);
  if (character <= 0x10ffff) return String.fromCodePoint(character);
  return reference;
}

const entities = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
  }),
);

/** Removes the quotation marks and the `W/` of a weak ETag. */
export function unquote(etag: string): string {
  return etag.replace(/^W\/|"/g, '');
}
