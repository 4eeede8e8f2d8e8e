import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { lastingFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * What a calendar contains and a site does not publish: reported with --verbose, and never a problem.
 */
const event = (uid: string, ...lines: string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', `SUMMARY:${uid}`, 'DTSTART:20270304T200000Z', ...lines]
    .concat('END:VEVENT')
    .join('\r\n');
const calendar = (...components: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x', ...components, 'END:VCALENDAR', ''].join('\r\n');
const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Soon\r\nTRIGGER:-PT15M\r\nEND:VALARM';
const cwd = writeTree(lastingFolder(), {
  ...emptyGenre('data/tv/drama'),
  'data/tv/drama/plain.ics': calendar(event('plain', 'LOCATION:Hall', 'URL:https://example.org/')),
  'data/tv/drama/rich.ics': calendar(
    'X-WR-CALNAME:Rich',
    'X-WR-CALDESC:Everything',
    event('one', 'DESCRIPTION:Text', 'ATTENDEE:mailto:a@example.org', 'ATTENDEE:mailto:b@example.org', alarm),
    event('two', 'DESCRIPTION:Text\r\n  that goes on', 'URL:http://example.org/', alarm),
    'BEGIN:VTODO\r\nSUMMARY:Buy tickets\r\nEND:VTODO',
  ),
});
const message = 'ignored calendar properties: 2 ATTENDEE, 2 DESCRIPTION, 1 URL, 2 VALARM, 1 VTODO, 1 X-WR-CALDESC';
const run = async (...args: string[]) => runAlmanac([...args, '--now', '2026-11-20T12:00:00Z'], { cwd });

test.each(['check', 'build'])(
  '%s --verbose counts the properties of each calendar that are not published',
  async (command) => {
    const note = `note: data/tv/drama/rich.ics:1:1: ${message}\n`;
    expect(await run(command, '--verbose')).toMatchObject({ code: 0, stderr: note });
    expect(await run(command, '--verbose', '--strict')).toMatchObject({ code: 0, stderr: note });
    expect(await run(command, '--verbose', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(command)).toMatchObject({ code: 0, stderr: '' });
  },
);

test('--json has the note among the warnings', async () => {
  const place = { file: 'data/tv/drama/rich.ics', line: 1, column: 1 };
  const { code, stdout } = await run('check', '--verbose', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    problems: [],
    warnings: [{ code: 'not-published', ...place, message }],
  });
});
