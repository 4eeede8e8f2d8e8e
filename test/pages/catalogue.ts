import type { Tree } from '../setup/folders.ts';

/** The time of the build and of the readers. */
export const now = '2026-11-20T12:00:00Z';

export const hostile = {
  image: '<img src=x onerror="document.title=\'pwned\'">',
  script: '</script><script>document.title="pwned"</script>',
  // A right-to-left override, which may affect the rest of the line.
  override: 'Final \u202Egnp.exe',
  entity: '&lt;b&gt; "quoted" \'single\' & done',
};

const day = 24 * 3600_000;

/** A catalogue with difficult cases: few events, a capped list, hostile titles. */
export const catalogue: Tree = {
  'service.json': { name: 'Almanac & <Sons>', license: 'Free to use, no key.' },
  'film/category.json': { name: 'Film' },
  'film/premieres/genre.json': { name: 'Premieres' },
  'film/premieres/quiet-picture.json': {
    name: 'Quiet Picture',
    events: [
      { title: 'World premiere', starts: '2026-12-01T20:00', zone: 'Asia/Tokyo', url: 'https://example.org/quiet' },
      { title: 'General release', starts: '2026-12-01' },
      { title: 'Doors open', starts: '2026-12-02T18', zone: 'Europe/Berlin' },
    ],
  },
  'film/festivals/genre.json': { name: 'Festivals' },
  'film/festivals/mountain-days.json': {
    name: 'Mountain Days',
    events: [{ title: 'Opening night', starts: '2027-02-14', zone: 'Europe/Zurich' }],
  },
  'space/category.json': { name: 'Space' },
  'space/passes/genre.json': { name: 'Passes' },
  'space/passes/station.json': {
    name: 'Station',
    events: Array.from({ length: 230 }, (_, n) => ({
      title: `Pass ${n + 1}`,
      starts: new Date(Date.parse('2027-01-01T06:00:00Z') + n * day).toISOString().slice(0, 16) + 'Z',
      zone: 'UTC',
    })),
  },
  'space/launches/genre.json': { name: 'Launches' },
  'space/launches/heron.json': {
    name: 'Heron',
    events: [
      { title: 'Static fire', starts: '2026-11-20T12:00:10Z' },
      { title: 'Heron maiden flight', starts: '2027-11-05T09:00:30', zone: 'America/New_York' },
    ],
  },
  'tricks/category.json': { name: '<i>Tricks</i>' },
  'tricks/titles/genre.json': { name: '"Titles" <u>' },
  'tricks/titles/hostile.json': {
    name: '<svg onload=alert(1)>',
    events: Object.entries(hostile).map(([id, title]) => ({ id, title, starts: '2026-12-24' })),
  },
};

/** Events in two zones with the same local time. Browsers call one of them by an older name, Asia/Calcutta. */
export const stages: Tree = {
  'service.json': { name: 'Stages', license: 'Free to use, no key.' },
  'stage/category.json': { name: 'Stage' },
  'stage/plays/genre.json': { name: 'Plays' },
  'stage/plays/raga.json': {
    name: 'Raga',
    events: [
      { title: 'Doors open', starts: '2026-12-01T20:00', zone: 'Asia/Kolkata' },
      { title: 'Curtain falls', starts: '2026-12-01T23:00', zone: 'Asia/Colombo' },
    ],
  },
};
