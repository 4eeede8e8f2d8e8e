import type { EventRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { wholePlaceOf } from './places.ts';
import { clockOf, dataOf, periodOf, shortInstant, zoneName } from './rows.ts';
import { addMenu } from './subscribe.ts';

const maxDescribed = 3;

/** Says what is next in a list, for the description of its page: `Next: Ahsoka: Season 2 premiere, 20 January 2027.` */
export function describeNext(
  { text, locale }: PageContext,
  upcoming: readonly ListedEvent[],
  announced: readonly unknown[] = [],
): string {
  if (upcoming.length === 0) return text(announced.length === 0 ? 'nothing' : 'nothingDated');
  const events = upcoming
    .slice(0, maxDescribed)
    .map(({ record: { title, subject, date } }) => `${fullTitle(title, subject.name)}, ${locale.fullDate(date)}`);
  return `${text('next')}: ${events.join('; ')}.`;
}

/**
 * Renders what is next for a subject: its date, its time there and here, and its place. What is on now comes first. The
 * script counts the days, and shows the next event once one has begun.
 */
export function subjectCard(
  context: PageContext,
  { upcoming, under_way: underWay, announced }: SubjectRecords,
  root: string,
): Markup | null {
  const { locale, text } = context;
  const [begun] = underWay;
  const [next] = upcoming;
  const [later] = announced;
  if (begun !== undefined) {
    const { record } = begun;
    const date = locale.monthDay(record.end_date ?? record.date);
    return card(context, record, text('onNowUntil', { date }), root, true);
  }
  if (next !== undefined) return card(context, next.record, locale.longDate(next.record.date), root, false);
  if (later === undefined) return null;
  return html`<section class="card" id="next">
    <h2>${text('notDatedYet', { period: periodOf(context, later) })}</h2>
    <p class="about">${later.title}</p>
  </section>`;
}

function card(context: PageContext, record: EventRecord, heading: string, root: string, hasBegun: boolean): Markup {
  const { title, location } = record;
  return html`<section class="card${hasBegun && ' begun'}" id="next" ${dataOf(context, record, false)}>
    <h2>${heading}</h2>
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
    <p class="actions">${addMenu(context, record)}</p>
  </section>`;
}
