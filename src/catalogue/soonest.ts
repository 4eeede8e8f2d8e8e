/** The properties that the order of events depends on. */
export interface Ordered {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
}

/** The order of every list of events: by start, then by id in code unit order. */
export function bySoonest(a: Ordered, b: Ordered): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Keeps the soonest `limit` of any number of events, in memory bounded by the limit. */
export class Soonest<E extends Ordered> {
  readonly #limit: number;
  #kept: E[] = [];
  #latest = Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(event: E): void {
    if (event.startsAt > this.#latest) return;
    this.#kept.push(event);
    if (this.#kept.length >= this.#limit * 2) this.#trim();
  }

  addAll(events: readonly E[]): void {
    for (const event of events) this.add(event);
  }

  /** Returns the events kept, soonest first. */
  list(): readonly E[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept.sort(bySoonest);
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#latest = this.#kept[this.#limit - 1]?.startsAt ?? Infinity;
  }
}
