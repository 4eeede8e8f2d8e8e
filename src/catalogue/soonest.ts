/** The properties that the order of events depends on. */
export interface Ordered {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
}

export type Compare<T> = (a: T, b: T) => number;

/** The order of every list of upcoming events: by start, then by id in code unit order. */
export const bySoonest = byInstant<Ordered>(({ startsAt }) => startsAt);

/** Returns the order by an instant of each item, and then by id in code unit order. */
export function byInstant<T extends { readonly id: string }>(
  instantOf: (item: T) => number,
): Compare<T> {
  return (a, b) => instantOf(a) - instantOf(b) || compareTexts(a.id, b.id);
}

/** Compares texts in code unit order. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Keeps the first `limit` of any number of items. Its memory is bounded. */
export class Soonest<T extends K, K = T> {
  readonly #limit: number;
  readonly #compare: Compare<K>;
  #kept: T[] = [];
  /** The last item that is kept, once the limit is reached. */
  #last: T | undefined;

  constructor(limit: number, compare: Compare<K>) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** Returns whether `add` would keep this item. */
  wants(item: K): boolean {
    return this.#last === undefined || this.#compare(item, this.#last) <= 0;
  }

  add(item: T): void {
    if (!this.wants(item)) return;
    this.#kept.push(item);
    if (this.#kept.length >= this.#limit * 2) this.#trim();
  }

  /** Adds items that are in order. Looks at no more of them than it needs. */
  addAll(items: readonly T[]): void {
    for (const item of items) {
      if (!this.wants(item)) return;
      this.add(item);
    }
  }

  /** Returns the items kept, in order. */
  list(): readonly T[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept.sort(this.#compare);
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#last = this.#kept[this.#limit - 1];
  }
}
