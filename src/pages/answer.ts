import { html, type Markup } from '../render/html.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import type { ListedEvent } from '../render/records.ts';
import { fullTitle } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { whereOf } from './facts.ts';
import { clockOf, isoDay, nameOf, periodOf } from './rows.ts';

/** The number of events in the description of a page. */
const maxDescribed = 3;

/** Names the first events of a list with their dates, for the description of its page. */
export function describeDates({ locale }: PageContext, events: readonly ListedEvent[]): string {
  return events
    .slice(0, maxDescribed)
    .map(({ record }) => `${fullTitle(record.title, record.subject.name)}, ${locale.fullDate(isoDay(record))}`)
    .join('; ');
}

/** Says what is next in a list, for the description of its page: `Next: Ahsoka: Season 2 premiere, 20 January 2027.` */
export function describeNext(context: PageContext, upcoming: readonly ListedEvent[]): string {
  return upcoming.length === 0
    ? context.text('nothing')
    : `${context.text('next')}: ${describeDates(context, upcoming)}.`;
}

/** Renders what is next for a subject: its date, its time here and there, and its place. The script counts the days. */
export function answerCard(context: PageContext, { upcoming, announced }: SubjectRecords): Markup | null {
  const { say, text, locale } = context;
  const [next] = upcoming;
  const [first] = announced;
  if (next === undefined && first === undefined) return null;
  const what = next?.record ?? first;
  const when =
    next !== undefined
      ? locale.longDate(isoDay(next.record))
      : first !== undefined && text('notDatedYet', { period: periodOf(context, first) });
  return html`<section class="next answer" id="next" aria-labelledby="next-title">
    <h2 id="next-title">${say('next')}</h2>
    <p class="when">${when}</p>
    <p class="count"></p>
    <p class="what" dir="auto">${what !== undefined && nameOf(what, true)}</p>
    ${next !== undefined && next.record.time_known && timesOf(context, next)}
    ${next !== undefined && whereOf(context, next.record, null)}
  </section>`;
}

/** The time of the reader, which the script writes, and the time where it happens. */
function timesOf({ text }: PageContext, { record, offset }: ListedEvent): Markup {
  const { starts_at, precision, zone } = record;
  const there = clockOf(isoInstant(Date.parse(starts_at) + offset), precision);
  const city = (zone ?? '').split('/').at(-1)?.replaceAll('_', ' ') ?? '';
  const isElsewhere = zone !== null && offset !== 0;
  return html`<p class="clock">
    <span class="here">${clockOf(starts_at, precision)} UTC</span
    >${isElsewhere && html` · ${text('there', { time: there, zone: city })}`}
  </p>`;
}
