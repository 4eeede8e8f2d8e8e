/** The properties that the order of events depends on. */
export interface Ordered {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
}

/** The order of every list of upcoming events: by start, then by id in code unit order. */
export function bySoonest(a: Ordered, b: Ordered): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The instant that lists of upcoming events are ordered by. */
export function startOf({ startsAt }: Ordered): number {
  return startsAt;
}

/** Returns the order by an instant of each item, and then by id in code unit order. */
export function byInstant<T extends { readonly id: string }>(instantOf: (item: T) => number): (a: T, b: T) => number {
  return (a, b) => instantOf(a) - instantOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Keeps the first `limit` of any number of items, ordered by an instant and then by id. Its memory is bounded. */
export class Soonest<T extends { readonly id: string }> {
  readonly #limit: number;
  readonly #instantOf: (item: T) => number;
  #kept: T[] = [];
  #latest = Infinity;

  constructor(limit: number, instantOf: (item: T) => number) {
    this.#limit = limit;
    this.#instantOf = instantOf;
  }

  add(item: T): void {
    if (this.#instantOf(item) > this.#latest) return;
    this.#kept.push(item);
    if (this.#kept.length >= this.#limit * 2) this.#trim();
  }

  addAll(items: readonly T[]): void {
    for (const item of items) this.add(item);
  }

  /** Returns the items kept, in order. */
  list(): readonly T[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept.sort(byInstant(this.#instantOf));
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    const last = this.#kept[this.#limit - 1];
    this.#latest = last === undefined ? Infinity : this.#instantOf(last);
  }
}
