import type { TextFinding } from '../finding.ts';
import type { LocationSource } from '../json/types.ts';
import type { Budget } from './recurrence.ts';
import type { ContentLine } from './content-lines.ts';
import { readLine, readProperty, readText, readTexts, type Length } from './property.ts';
import { readLength, readMoment, readMoments, type Moment } from './moment.ts';
import { readRule, type Rule } from './rule.ts';
import { plain } from '../plain.ts';
import type { Clocks } from './time-zone.ts';

/** A recurrence rule, and the line that it comes from. */
export type ReadRule = { readonly rule: Rule; readonly line: ContentLine };

export type LeftOut = Pick<ContentLine, 'name' | 'offset'>;

/** Reads the properties of an event by name. If there are several where one is expected, the first counts. */
export class PropertyReader {
  readonly #lines: readonly ContentLine[];
  readonly #clocks: Clocks;
  readonly #budget: Budget;
  readonly #findings: TextFinding[];
  readonly leftOut: LeftOut[] = [];

  constructor(lines: readonly ContentLine[], clocks: Clocks, budget: Budget, findings: TextFinding[]) {
    this.#lines = lines;
    this.#clocks = clocks;
    this.#budget = budget;
    this.#findings = findings;
  }

  find(name: string): ContentLine | undefined {
    return this.#lines.find((line) => line.name === name);
  }

  text(name: string): string | null {
    return this.#read(name, readText);
  }

  texts(name: string): string[] {
    const lines = this.#lines.filter((line) => line.name === name);
    return lines.flatMap((line) => readLine(line, this.#findings, readTexts) ?? []);
  }

  /** A text that is a keyword: in capitals, and empty if it is missing. */
  word(name: string): string {
    return (this.text(name) ?? '').trim().toUpperCase();
  }

  moment(name: string): Moment | null {
    return this.#read(name, (text) => readMoment(text, this.#clocks));
  }

  length(start: Parameters<typeof readLength>[1]): Length | null {
    const name = this.find('DTEND') === undefined ? 'DURATION' : 'DTEND';
    return this.#readOptional(name, (text) => readLength(text, start, this.#clocks));
  }

  location(): LocationSource {
    const written = this.text('LOCATION') ?? '';
    const place = written.replaceAll(/\bhttps?:\/\/\S+/gi, '');
    const coordinates = this.#readOptional('GEO', readCoordinates);
    if (place === written) return readLocation(plain(written), coordinates);
    // Such a link leads to a meeting, often with its password, and is not for the public.
    this.leftOut.push({ name: 'LOCATION with a link', offset: this.find('LOCATION')?.offset ?? 0 });
    return readLocation(plain(place).replaceAll(/^[,;|(– -]+|[,;|(– -]+$/g, ''), coordinates);
  }

  /** The occurrence that a RECURRENCE-ID stands for. It may not stand for all later ones as well. */
  replaced(): Moment | null {
    return this.#read('RECURRENCE-ID', (text) => {
      refuseRange(text);
      return readMoment(text, this.#clocks);
    });
  }

  moments(name: string): Moment[] {
    const lines = this.#lines.filter((line) => line.name === name);
    return lines.flatMap((line) => {
      if (this.#budget.isSpent()) return [];
      const read = (text: string): Moment[] => {
        this.#budget.spendDates(text);
        return readMoments(text, this.#clocks);
      };
      return readLine(line, this.#findings, read) ?? [];
    });
  }

  rules(): ReadRule[] {
    const lines = this.#lines.filter(({ name }) => name === 'RRULE' || name === 'EXRULE');
    return lines.flatMap((line) => {
      const rule = readLine(line, this.#findings, readRule);
      return rule === null ? [] : [{ rule, line }];
    });
  }

  /** Like `#read`, but an event is of use without the value. */
  #readOptional<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    const findings: TextFinding[] = [];
    const value = line === undefined ? null : readLine(line, findings, read);
    if (findings.length > 0) this.leftOut.push({ name, offset: line?.offset ?? 0 });
    return value;
  }

  #read<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    return line === undefined ? null : readLine(line, this.#findings, read);
  }
}

function refuseRange(line: string): void {
  const { range } = readProperty(line);
  if (range === null) return;
  throw new Error(
    `a RANGE of ${range} changes many occurrences, but only changes of one are supported; end the series before it (UNTIL) and start a new event there`,
  );
}

type Coordinates = Readonly<Record<'latitude' | 'longitude', number>>;

function readCoordinates(line: string): Coordinates {
  const [, latitude = NaN, longitude = NaN] = geo.exec(line)?.map(Number) ?? [];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  throw new Error('expected degrees north and east, such as 52.52;13.405');
}

const geo = /:\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*;\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*$/i;

function readLocation(name: string, coordinates: Coordinates | null): LocationSource {
  if (coordinates === null) return name === '' ? null : name;
  return { name: name || `${coordinates.latitude}, ${coordinates.longitude}`, ...coordinates };
}
