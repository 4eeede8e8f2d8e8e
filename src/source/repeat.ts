import { isoDate } from '../catalogue/time/time.ts';
import { withEnding } from '../readers/schema/event-ids.ts';
import { FoundError, type FoundProblem, type ValueFinding } from '../readers/schema/finding.ts';
import { type Budget, followRule, spanOf, type Span } from '../readers/ics/recurrence.ts';
import { readRule, type Rule } from '../readers/ics/rule.ts';
import type { Times } from '../readers/schema/reading.ts';
import type { PartialEvent } from '../readers/schema/source-types.ts';
import { exceptRule } from '../readers/schema/rules.ts';

/** The reading of a subject that an event belongs to. */
interface Reading {
  readonly times: Times;
  readonly budget: Budget;
  /** What is wrong with a rule is added to it. */
  readonly findings: ValueFinding[];
}

/**
 * Returns the occurrences within two years of an event that says `repeat`, each as an event of its
 * own: on another date, at the same time of day, with that date in its id. The start and the end of
 * the event must be valid.
 */
export function occurrencesOf(
  event: PartialEvent,
  index: number,
  { times, budget, findings }: Reading,
): PartialEvent[] {
  const { repeat = '', except = [], starts = '', ends } = event;
  const first = midnightOf(starts);
  const span = Number.isFinite(times.now)
    ? spanOf(times)
    : spanOf({ now: first, pastSince: first });
  const report = (problem: FoundProblem, key: string) =>
    findings.push({ problem, path: ['events', index, key] });
  try {
    if (event.repeat === undefined)
      throw new FoundError({
        code: 'missing-key',
        key: 'repeat',
        required: ['title', 'starts', 'repeat'],
      });
    if (!dateAtStart.test(starts)) throw new Error('an event that is only announced has no dates');
    const rule = readRepeat(repeat);
    const until = rule.until === null ? Infinity : midnightOf(rule.until);
    const datesIn = ({ from, to }: Span): number[] => [
      ...followRule(rule, first, { from, to: Math.min(to, until) }, budget),
    ];
    const lasts = ends === undefined || !dateAtStart.test(ends) ? 0 : midnightOf(ends) - first;
    const dates = datesIn({ from: span.from - lasts, to: span.to });
    for (const _ of dates) budget.spendOccurrence();
    for (const date of except) {
      const at = midnightOf(date);
      if (datesIn({ from: at, to: at }).length === 0)
        report(
          {
            code: 'bad-value',
            key: 'except',
            found: date,
            expected: exceptRule,
            proposal: null,
          },
          'except',
        );
    }
    return dates
      .filter((date) => !except.includes(isoDate(date)))
      .map((date) => movedTo(date, event, first));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = error instanceof FoundError ? error.problem : badRepeat(repeat, reason);
    report(problem, 'repeat');
    return [];
  }
}

/** Whether an event says that it repeats, or only on which dates it does not. */
export function isRepeating(event: PartialEvent): boolean {
  return event.repeat !== undefined || (event.except !== undefined && !('repeat' in event));
}

/** Reads a rule whose dates are written as in the rest of the file, or as in a calendar. */
function readRepeat(text: string): Rule {
  const rule = readRule(text.replace(/(UNTIL=\d{4})-(\d\d)-(\d\d)/i, '$1$2$3'));
  if (rule === null) throw new Error('it is empty');
  if (['BYHOUR', 'BYMINUTE', 'BYSECOND'].some((part) => part in rule.parts)) {
    throw new Error('it repeats on days, and the time of day is that of "starts"');
  }
  if (rule.until?.includes('T'))
    throw new Error('expected UNTIL to be a date such as 2027-06-30, without a time');
  return rule;
}

function badRepeat(text: string, reason: string): FoundProblem {
  if (text.includes('='))
    return {
      code: 'bad-repeat',
      found: text,
      reason,
      proposal: null,
    };
  const frequency = frequencies.find(([words]) => words.test(text))?.[1] ?? null;
  const weekday = /\b(mo|tu|we|th|fr|sa|su)\w*day/i.exec(text)?.[1]?.toUpperCase();
  const proposal = weekday === undefined ? frequency : `FREQ=WEEKLY;BYDAY=${weekday}`;
  return {
    code: 'bad-repeat',
    found: text,
    reason: 'words are not a rule',
    proposal,
  };
}

const frequencies = [
  [/month/i, 'FREQ=MONTHLY'],
  [/week/i, 'FREQ=WEEKLY'],
  [/year|annual/i, 'FREQ=YEARLY'],
  [/\bday|dail/i, 'FREQ=DAILY'],
] as const;

function movedTo(date: number, event: PartialEvent, first: number): PartialEvent {
  const { starts = '', ends, title = '' } = event;
  const move = (moment: string) =>
    dateAtStart.test(moment)
      ? isoDate(midnightOf(moment) + date - first) + moment.slice(dateLength)
      : moment;
  const moved = {
    ...event,
    id: withEnding(event.id ?? title, isoDate(date)),
    starts: move(starts),
  };
  if (ends === undefined) return moved;
  return { ...moved, ends: move(ends) };
}

const dateAtStart = /^\d{4}-\d\d-\d\d/;
const dateLength = 'yyyy-mm-dd'.length;

function midnightOf(moment: string): number {
  return Date.parse(`${moment.slice(0, dateLength)}T00:00Z`);
}
