import type { EventRecord } from '../../../../src/api/documents.ts';
import { readRecords } from './read-records.ts';
import { serveLive } from './serve-live.ts';

/** The part of the SQLite package that is used. It is installed with the peers, not with the project. */
type Database = new (file: string) => {
  readonly exec: (sql: string) => void;
  readonly prepare: (sql: string) => {
    readonly run: (...values: readonly Value[]) => void;
    readonly get: (...values: readonly Value[]) => { readonly total: number };
    readonly all: (...values: readonly Value[]) => Row[];
  };
};

type Value = string | number | null;

/** A row of the table: a flat record with a number in place of a boolean. */
type Row = Omit<EventRecord, 'subject' | 'time_known' | 'location' | 'tags' | 'details' | 'extra'> & {
  readonly subject_id: string;
  readonly subject_name: string;
  readonly time_known: number;
  /** JSON */
  readonly location: string;
  readonly tags: string;
  readonly details: string;
  readonly extra: string;
};

/** A live server with a table in a file. An index finds the events of a genre in order and counts the upcoming ones. */
const [data = '', file = ''] = process.argv.slice(2);
const name: string = 'libsql';
const { default: Database } = (await import(name)) as { readonly default: Database };
const database = new Database(file);
database.exec(`
  pragma cache_size = -65536;
  create table event (
    id text primary key, title text not null, subject_id text not null, subject_name text not null,
    genre text not null, category text not null, starts_at text not null, ends_at text, date text not null,
    end_date text, zone text, starts_local text, time_known integer not null, precision text not null, location text not null, url text,
    upcoming_until text not null, over_at text, status text not null, tags text not null, details text not null,
    extra text not null
  );
  begin;
`);
const insert = database.prepare(
  'insert into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);
for (const { subject, ...record } of await readRecords(data)) {
  const { id, title, genre, category, starts_at, ends_at, date, end_date, zone, time_known, precision } = record;
  const when = [starts_at, ends_at, date, end_date, zone, record.starts_local, Number(time_known), precision];
  const rest = [JSON.stringify(record.location), record.url, record.upcoming_until, record.over_at];
  const facts = [
    record.status,
    JSON.stringify(record.tags),
    JSON.stringify(record.details),
    JSON.stringify(record.extra),
  ];
  insert.run(id, title, subject.id, subject.name, genre, category, ...when, ...rest, ...facts);
}
database.exec('commit; create index by_genre on event (genre, starts_at, id, upcoming_until); analyze;');

const list = database.prepare(
  'select * from event where genre = ? and upcoming_until > ? order by starts_at, id limit ?',
);
const count = database.prepare('select count(*) as total from event where genre = ? and upcoming_until > ?');

await serveLive((genre, now, limit) => ({
  total: count.get(genre, now).total,
  events: list.all(genre, now, limit).map(recordOf),
}));

function recordOf(row: Row): EventRecord {
  return {
    id: row.id,
    title: row.title,
    subject: { id: row.subject_id, name: row.subject_name },
    genre: row.genre,
    category: row.category,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    date: row.date,
    end_date: row.end_date,
    zone: row.zone,
    starts_local: row.starts_local,
    time_known: row.time_known === 1,
    precision: row.precision,
    location: JSON.parse(row.location) as EventRecord['location'],
    url: row.url,
    upcoming_until: row.upcoming_until,
    over_at: row.over_at,
    status: row.status,
    tags: JSON.parse(row.tags) as EventRecord['tags'],
    details: JSON.parse(row.details) as EventRecord['details'],
    extra: JSON.parse(row.extra) as EventRecord['extra'],
    updated_at: null,
  };
}
