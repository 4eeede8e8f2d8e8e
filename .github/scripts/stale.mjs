/*
 * Lists what a maintainer of the starter catalogue should look at: subjects whose events are over, or soon will be, and
 * sources that were read long ago. The dates of the sources are those in data/README.md ("Snapshot: 2026-08-22").
 *
 *     node .github/scripts/stale.mjs [--data data] [--days 30] [--months 6] [--now 2027-01-31]
 *
 * It reads subject files in JSON, which are all that the starter catalogue has.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    days: { type: 'string', default: '30' },
    months: { type: 'string', default: '6' },
    now: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});

const today = values.now;
const soon = shifted({ days: Number(values.days) });
const old = shifted({ months: -Number(values.months) });
const subjects = subjectFiles().map(({ path, events }) => ({
  path,
  last: events.map(lastDay).sort().at(-1),
}));

print(
  'Subjects whose events are all over',
  subjects.filter(({ last }) => last === undefined || last < today),
);
print(
  `Subjects whose events are all over by ${soon}`,
  subjects.filter(({ last }) => last >= today && last <= soon),
);
print(
  `Sources read before ${old}`,
  snapshots().filter(({ last }) => last < old),
);

/** The day in `YYYY-MM-DD` that is some days or months after today. */
function shifted({ days = 0, months = 0 }) {
  const date = new Date(`${today}T00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months, date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Subjects with the events that are not cancelled. */
function subjectFiles() {
  const paths = readdirSync(values.data, { recursive: true }).sort();
  return paths
    .filter(
      (path) =>
        /^[^./][^/]*\/[^./][^/]*\/[^./]+\.json$/.test(path) && !path.endsWith('/genre.json'),
    )
    .map((path) => ({ path, ...JSON.parse(readFileSync(join(values.data, path), 'utf8')) }))
    .map(({ path, events = [] }) => ({
      path,
      events: events.filter((event) => !isCancelled(event)),
    }));
}

function isCancelled({ cancelled, status }) {
  return cancelled === true || status === 'cancelled';
}

/** The last day of an event, or of the period of an announcement, in a form that sorts like a date. */
function lastDay({ starts, ends = '' }) {
  const text = /^\d{4}/.test(ends) ? ends : starts;
  const [, year, part] = /^(\d{4})(?:-([QH]\d|\d\d))?(?![-\w])/.exec(text) ?? [];
  if (year === undefined) return text.slice(0, 10);
  const month =
    { Q1: '03', Q2: '06', Q3: '09', Q4: '12', H1: '06', H2: '12' }[part] ?? part ?? '12';
  return `${year}-${month}-31`;
}

/** What data/README.md says about its sources: `- **what** … Snapshot: 2026-08-22.` */
function snapshots() {
  const readme = readFileSync(join(values.data, 'README.md'), 'utf8').replaceAll(/\n +/g, ' ');
  return Array.from(
    readme.matchAll(/^- \*\*(.+?)\*\*.*?Snapshot: ([\d-]+)/gm),
    ([, path, last]) => ({ path, last }),
  );
}

function print(title, found) {
  const lines = found.map(({ path, last }) => `  ${last ?? 'no event  '}  ${path}`);
  process.stdout.write(`${title}: ${found.length}\n${lines.map((line) => `${line}\n`).join('')}`);
}
