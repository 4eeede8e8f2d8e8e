/** Names by key: `c/{category}`, `g/{genre}` or `s/{genre}/{subject}`. */
export type Names = Readonly<Record<string, string>>;

interface Memory {
  /** An IANA zone. Default: the reader's own. */
  readonly zone?: string;
  readonly follows?: Readonly<Record<string, Names>>;
  readonly visits?: Readonly<Record<string, Visit>>;
}

/** The last visit to the page of what is followed. Instants, ISO 8601 UTC. */
interface Visit {
  /** The visit before it: what changed since then is shown. */
  readonly since: string;
  readonly visited: string;
}

const key = 'almanac';

/** Loading the page again within half an hour is the same visit. */
const sameVisit = 30 * 60_000;

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

/** Returns what the reader follows on a site. Other pages of its host could have written anything. */
export function followed(site: string): Names {
  const names: readonly [string, unknown][] = Object.entries(remembered().follows?.[site] ?? {});
  const isValid = ([place, name]: readonly [string, unknown]) =>
    typeof name === 'string' && /^[cgs](\/[a-z0-9-]+){1,2}$/.test(place);
  return Object.fromEntries(names.filter(isValid)) as Names;
}

export function follow(site: string, names: Names): void {
  remember({ follows: { ...remembered().follows, [site]: names } });
}

/** Returns the last visit to what is followed on a site. Before the first one, nothing is new. */
export function lastVisit(site: string, now: number): Visit {
  const current = new Date(now).toISOString();
  const last = remembered().visits?.[site];
  if (last !== undefined) return last;
  const first = {
    since: current,
    visited: current,
  };
  remember({ visits: { ...remembered().visits, [site]: first } });
  return first;
}

/** Remembers a visit to what is followed. */
export function visit(site: string, now: number): Visit {
  const { since, visited } = lastVisit(site, now);
  const isSame = now - Date.parse(visited) < sameVisit;
  const current = {
    since: isSame ? since : visited,
    visited: new Date(now).toISOString(),
  };
  remember({ visits: { ...remembered().visits, [site]: current } });
  return current;
}
