#!/usr/bin/env bash
# RFC 5545, section 3.3.6: P1D ends at the same clock time of the next day, PT24H after exactly 24
# hours. Where the clocks change in between, ical.js reads both as P1D and node-ical both as PT24H, so
# each is an hour off for one of them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact ical.js@2.2.1 node-ical@0.27.2
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import ICAL from 'ical.js';
import ical from 'node-ical';

const textWith = (duration) => `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//EN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:20261025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20270328T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1
DTSTAMP:20270101T000000Z
DTSTART;TZID=Europe/Berlin:20270327T200000
DURATION:${duration}
END:VEVENT
END:VCALENDAR
`;
const clock = (end) => end.toLocaleTimeString('sv', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
for (const duration of ['P1D', 'PT24H']) {
  const text = textWith(duration).replaceAll('\n', '\r\n');
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.register(calendar.getFirstSubcomponent('vtimezone'));
  const first = new ICAL.Event(calendar.getFirstSubcomponent('vevent')).endDate.toJSDate();
  const second = Object.values(ical.sync.parseICS(text)).find(({ type }) => type === 'VEVENT').end;
  console.log(`20:00 and ${duration}: ical.js ${clock(first)}, node-ical ${clock(second)}`);
}
PROGRAM
cat >expected.txt <<'EXPECTED'
20:00 and P1D: ical.js 20:00, node-ical 21:00
20:00 and PT24H: ical.js 20:00, node-ical 21:00
EXPECTED

TZ=UTC node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
