import type { AnnouncementRecord, EventRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { wholePlaceOf } from './places.ts';
import { clockOf, dataOf, periodOf, shortInstant, zoneName } from './rows.ts';
import { addMenu } from './subscribe.ts';

const maxDescribed = 3;

/**
 * Says what is next in a list, for the description of its page: `Next: Ahsoka: Season 2 premiere,
 * 20 January 2027.`
 */
export function describeNext(
  { text, locale }: PageContext,
  upcoming: readonly ListedEvent[],
  announced: readonly unknown[] = [],
): string {
  if (upcoming.length === 0) return text(announced.length === 0 ? 'nothing' : 'nothingDated');
  const events = upcoming
    .slice(0, maxDescribed)
    .map(
      ({ record: { title, subject, date, status } }) =>
        `${fullTitle(title, subject.name)}, ${status === 'postponed' ? text(status) : locale.fullDate(date)}`,
    );
  return `${text('next')}: ${events.join('; ')}.`;
}

interface Next {
  readonly record: EventRecord | AnnouncementRecord;
  readonly hasBegun: boolean;
  /** When it is. */
  readonly when: string;
}

/** Returns what is next for a subject. What is on now comes first. */
export function nextOf(
  context: PageContext,
  { upcoming, under_way: underWay, announced }: SubjectRecords,
): Next | null {
  const { locale, text } = context;
  const [{ record: begun } = {}, { record: next } = {}, later] = [
    underWay[0],
    upcoming[0],
    announced[0],
  ];
  if (begun !== undefined) {
    const date = locale.monthDay(begun.end_date ?? begun.date);
    return { record: begun, hasBegun: true, when: text('onNowUntil', { date }) };
  }
  if (next?.status === 'postponed')
    return { record: next, hasBegun: false, when: text('postponed') };
  if (next !== undefined)
    return { record: next, hasBegun: false, when: locale.longDate(next.date) };
  if (later === undefined) return null;
  return {
    record: later,
    hasBegun: false,
    when: text('notDatedYet', { period: periodOf(context, later) }),
  };
}

/**
 * Renders what is next: its date, its time there and here, and its place. The script counts the
 * days, and shows the next event once one has begun.
 */
export function subjectCard(
  context: PageContext,
  { record, hasBegun, when }: Next,
  root: string,
): Markup {
  const { title, location } = record;
  if ('period' in record)
    return html`<section class="card" id="next">
      <h2>${when}</h2>
      <p class="about">${title}</p>
    </section>`;
  // The script counts no days to a date that does not count.
  if (record.status === 'postponed' && !hasBegun)
    return html`<section class="card" id="next">
      <h2>${when}</h2>
      <p class="about" dir="auto">${title} <s>${context.locale.longDate(record.date)}</s></p>
    </section>`;
  return html`<section
    class="card${hasBegun && ' begun'}"
    id="next"
    ${dataOf(context, record, false)}
  >
    <h2>${when}</h2>
    <p class="count"></p>
    <p class="about" dir="auto">${title}</p>
    ${
      record.time_known &&
      html`<p class="clock">
        <span class="here"></span>
        <time
          class="there"
          datetime="${shortInstant(record.starts_at)}"
          ${record.zone !== null && html` data-zone="${record.zone}"`}
          >${context.text('there', { time: clockOf(record, record.starts_at), zone: zoneName(record.zone) })}</time
        >
      </p>`
    }
    ${location !== null && html`<p class="where" dir="auto">${wholePlaceOf(context, location, root, !hasBegun)}</p>`}
    <div class="actions">${addMenu(context, record)}</div>
  </section>`;
}
