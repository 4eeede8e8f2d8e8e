import type { TableColumn } from './columns.ts';

/** What the cells of a column can be. Empty cells can be anything, except in a filled column, which has none. */
export type CellKind =
  | 'filled'
  | 'month'
  | 'date'
  | 'time'
  | 'url'
  | 'boolean'
  | 'number'
  | 'country'
  | 'zone'
  | 'text'
  | 'short'
  | 'unique';

/** Names of a column, best first: in lower case, without accents, with single spaces. */
function named(field: TableColumn, kind: CellKind, ...words: readonly string[]) {
  return { field, kind, words: words.join(', ').split(', ') } as const;
}

/** What people call the columns of a table, and what their cells must be. A column is the first thing that fits. */
export const columnWords = [
  named(
    'starts',
    'month',
    'starts, start date, startdate, start, starts at, date start, begin, date from, from, datetime, date',
    'startdatum, beginn, datum, von, tag, wann, date de debut, date debut, debut, du, jour, fecha de inicio',
    'fecha inicio, fecha, inicio, desde, dia, 開始日, 日付, 開催日, day, when, kickoff, date utc, dtstart',
  ),
  named(
    'time',
    'time',
    'time, start time, starttime, starts, start, kickoff, kick off, kickoff time, begin, when, from, uhrzeit',
    'beginn, startzeit, anpfiff, einlass, zeit, von, start uhrzeit, heure, heure de debut, heure debut',
    'horaire, debut, hora, hora inicio, hora de inicio, horario, 開始時間, 開始時刻, 時刻, 時間',
  ),
  named(
    'ends',
    'date',
    'ends, end date, enddate, end, ends at, date end, finish, until, to, date to, dtend, enddatum, ende, bis',
    'date de fin, date fin, fin, au, fecha de fin, fecha fin, hasta, 終了日',
  ),
  named(
    'end_time',
    'time',
    'end time, endtime, ends, end, finish, until, to, endzeit, ende, bis, schluss, heure de fin, heure fin',
    'fin, hora fin, hora de fin, hasta, 終了時間, 終了時刻',
  ),
  named('zone', 'zone', 'zone, time zone, timezone, tz, zeitzone, fuseau horaire, zona horaria'),
  named('url', 'url', 'url, link, links, website, web, site, homepage, webseite, href, lien, enlace, more info'),
  named('cancelled', 'boolean', 'cancelled, canceled, abgesagt, entfallt, annule, cancelado, cancelada, suspendido'),
  named('country', 'country', 'country, country code, land, pays, pais'),
  named('latitude', 'number', 'latitude, lat, breitengrad'),
  named('longitude', 'number', 'longitude, lng, lon, long, langengrad'),
  named('subject_id', 'filled', 'subject id'),
  named(
    'title',
    'short',
    'title, event, event title, summary, what, name, match, fixture, game, race, session, titel, grand prix, gp, talk, opponent',
    'veranstaltung, bezeichnung, was, stuck, film, thema, anlass, spiel, begegnung, gegner, termin, titre, evenement, nom',
    'manifestation, titulo, evento, nombre, partido, タイトル, イベント名, イベント, 大会名, 名称, 行事, holiday, festival',
    'subject, betreff',
  ),
  named(
    'subject',
    'filled',
    'subject, series, show, team, club, artist, band, conference, competition, league, wer',
    'verein, mannschaft, serie, reihe, kunstler, organizer, equipe, artiste, equipo, artista, 主催',
  ),
  named(
    'location',
    'text',
    'location, venue, place, where, stadium, ground, circuit, track, arena, hall, site, city, town, ort',
    'spielort, spielstatte, veranstaltungsort, haus, halle, wo, stadt, lokal, austragungsort, lieu, salle',
    'endroit, ville, lugar, sede, recinto, ciudad, estadio, 会場, 場所, 開催地',
  ),
  named('address', 'text', 'address, street, adresse, anschrift, strasse, direccion, 住所'),
  named('description', 'text', 'description, details, beschreibung, descripcion, 説明'),
  named(
    'tags',
    'text',
    'tags, keywords, category, type, genre, topics, schlagworte, kategorie, mots cles, categorie, etiquetas, categoria',
    'タグ, カテゴリ',
  ),
  named('image', 'url', 'image, image url, picture, photo, bild, imagen, 画像'),
  named('organizer', 'text', 'organizer, organiser, host, veranstalter, organisateur, organizador, 主催者'),
  named('id', 'unique', 'id, event id, slug, uid, match id, game id'),
];

/** The names of two columns that are the opponents of a match. */
export const pairWords = [
  ['home', 'away'],
  ['home team', 'away team'],
  ['hometeam', 'awayteam'],
  ['team 1', 'team 2'],
  ['team1', 'team2'],
  ['team a', 'team b'],
  ['heim', 'gast'],
  ['heimmannschaft', 'gastmannschaft'],
  ['heimverein', 'gastverein'],
  ['domicile', 'exterieur'],
  ['equipe 1', 'equipe 2'],
  ['local', 'visitante'],
  ['equipo local', 'equipo visitante'],
  ['ホーム', 'アウェイ'],
] as const;
