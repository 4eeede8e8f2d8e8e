/** What the browser remembers for the reader. */
interface Memory {
  readonly theme?: 'light' | 'dark';
  /** An IANA zone. Default: the reader's own. */
  readonly zone?: string;
  readonly language?: string;
  readonly hidesCountdowns?: boolean;
  /** The names of what the reader follows, by `c/{category}`, `g/{genre}` or `s/{genre}/{subject}`, for each site. */
  readonly follows?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const key = 'almanac';

/** Returns what is remembered: nothing if the browser does not allow storage. */
export function remembered(): Memory {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return value instanceof Object ? value : {};
  } catch {
    return {};
  }
}

export function remember(changes: Partial<Record<keyof Memory, unknown>>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...remembered(), ...changes }));
  } catch {
    // The choice then lasts until the page is closed.
  }
}

/** Returns what the reader follows on a site. */
export function followed(site: string): Readonly<Record<string, string>> {
  return remembered().follows?.[site] ?? {};
}

export function follow(site: string, names: Readonly<Record<string, string>>): void {
  remember({ follows: { ...remembered().follows, [site]: names } });
}
