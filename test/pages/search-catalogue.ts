import type { Tree } from '../setup/folders.ts';

/** A Monday. */
export const now = '2026-11-23T12:00:00Z';

/** The name of a subject, its events by title with their starts, its other names, and its country and tags. */
type Subject = readonly [events: Readonly<Record<string, string>>, aliases?: readonly string[], place?: object];

/** Subjects by name, by the name of their genre, by the name of their category. */
const names: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Subject>>>>>> = {
  Civics: {
    'Clock Changes': {
      Germany: [{ 'Clocks go forward 1 hour': '2027-03-28T01:00Z' }, ['DST', 'daylight saving', 'Sommerzeit']],
    },
    Elections: {
      Sweden: [{ 'General election': '2026-12-13' }],
      'United States': [{ 'Presidential election': '2028-11-07' }, ['US election'], { country: 'US' }],
    },
  },
  Film: {
    Action: { 'Violent Night 2': [{ 'US theatrical release': '2026-12-04' }] },
    'Film Festivals': {
      'Berlin International Film Festival': [{ '2027 festival': '2027-02-11' }, ['Berlinale'], { country: 'DE' }],
    },
  },
  'Video Games': {
    Action: { 'Tomb Raider: Catalyst': [{ Release: '2027' }, ['Lara Croft']] },
    'Role-Playing': { 'Gothic 3 Classic': [{ Release: '2026-11-24' }] },
  },
  Holidays: {
    'Christian Holidays': {
      Christmas: [{ 'Christmas Day': '2026-12-25' }, ['Xmas', 'Weihnachten', 'Navidad', 'Noël', 'クリスマス']],
      Easter: [{ 'Easter Sunday': '2027-03-28' }, ['Ostern', 'Pascua', 'Pâques']],
    },
    'New Year': { 'Lunar New Year': [{ 'Lunar New Year': '2027-02-06' }] },
    Science: { 'Pi Day': [{ 'Pi Day': '2027-03-14' }] },
    Shopping: { 'Black Friday': [{ 'Black Friday': '2027-11-26' }] },
  },
  Music: {
    Pop: {
      Beyoncé: [{ 'Tour opens in Köln': '2027-05-02' }, [], { name: 'Köln', country: 'DE' }],
      Sommerfest: [{ 'Opening night': '2027-06-19' }, [], { name: 'Waldbühne', country: 'DE', tags: ['open-air'] }],
    },
  },
  Space: {
    Eclipses: {
      'Annular solar eclipses': [{ 'Annular solar eclipse': '2027-02-06T16:00Z' }, ['日食', 'Sonnenfinsternis']],
      'Total solar eclipses': [{ 'Total solar eclipse': '2027-08-02T10:07Z' }, ['日食', 'Sonnenfinsternis']],
    },
    Missions: { 'Artemis III': [{ Launch: '2027-Q3' }], Heron: [{ 'Static fire': '2026-11-23T20:00Z' }] },
    'Moon Phases': {
      'Full Moon': [{ 'Full Moon': '2026-11-24T14:53Z', 'Full Moon of December': '2026-12-24T01:28Z' }, ['Vollmond']],
      'New Moon': [{ 'New Moon': '2026-12-09T00:51Z' }],
    },
    Planets: { Mars: [{ Opposition: '2027-02-19' }, ['Marte']] },
  },
  Sports: {
    'American Football': {
      'Super Bowl': [{ 'Super Bowl LXI': '2027-02-14T23:30Z' }],
      'Houston Texans': [{ 'Baltimore Ravens at Houston Texans': '2026-11-29T18:00Z' }, ['NFL']],
    },
    Football: {
      'FIFA World Cup': [{ '2030 opening match': '2030-06-13' }, ['Fußball-WM', 'Mundial']],
      'UEFA Champions League': [{ Final: '2027-06-05T16:00Z' }],
      Arsenal: [{ 'Arsenal v Chelsea': '2026-11-28T15:00Z' }],
    },
    'Formula One': {
      'São Paulo Grand Prix': [{ '2027 race': '2027-11-07', '2027 sprint': '2027-11-06' }],
      'Bahrain Grand Prix': [{ '2027 sprint': '2027-03-13', '2027 race': '2027-03-14' }],
    },
    'Rugby Union': { Scotland: [{ 'Scotland v Ireland, Six Nations': '2027-03-05T20:10Z' }] },
  },
  Technology: {
    'Developer Conferences': {
      'Apidays Paris': [{ '2026 conference': '2026-12-01' }, [], { name: 'CNIT', country: 'FR' }],
      'React Day Berlin': [{ '2026 conference': '2026-12-04' }, [], { name: 'Kulturbrauerei, Berlin', country: 'DE' }],
    },
    'Operating Systems': {
      Ubuntu: [{ 'Ubuntu 22.04 end of life': '2027-04-01', 'Ubuntu 27.04': '2027-H1' }],
    },
  },
  Television: { 'Award Shows': { 'Academy Awards': [{ '99th Academy Awards': '2027-03-15T00:00Z' }, ['Oscars']] } },
};

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');

function* filesOf(): Generator<[path: string, content: object]> {
  yield ['service.json', { name: 'Almanac', license: 'Free' }];
  for (const [category, genres] of Object.entries(names)) {
    yield [`${slug(category)}/category.json`, { name: category }];
    for (const [genre, subjects] of Object.entries(genres)) {
      yield [`${slug(category)}/${slug(genre)}/genre.json`, { name: genre }];
      for (const [name, [events, aliases = [], place = {}]] of Object.entries(subjects)) {
        const { country, name: at = name, tags = [] } = place as { country?: string; name?: string; tags?: string[] };
        const location = country === undefined ? {} : { location: { name: at, country } };
        const listed = Object.entries(events).map(([title, starts]) => ({ title, starts, tags, ...location }));
        yield [`${slug(category)}/${slug(genre)}/${slug(name)}.json`, { name, aliases, events: listed }];
      }
    }
  }
}

/** A catalogue with what people search for. */
export const searchCatalogue: Tree = Object.fromEntries(filesOf());
