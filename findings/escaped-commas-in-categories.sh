#!/usr/bin/env bash
# node-ical and ts-ics split CATEGORIES at commas that are escaped, and leave the backslash in the
# tag. RFC 5545, section 3.3.11, makes "Food\, drink" one category; both read LOCATION rightly.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact node-ical@0.26.1 ts-ics@2.4.6
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import ical from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';

const text = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//example//EN',
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTAMP:20270101T000000Z',
  'DTSTART:20270304T193000Z',
  'SUMMARY:Fair',
  'LOCATION:Hall\\, second floor',
  'CATEGORIES:Food\\, drink,Music',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');
const first = Object.values(ical.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
const second = convertIcsCalendar(undefined, text).events[0];
for (const { location, categories } of [first, second]) console.log(location, categories);
PROGRAM
cat >expected.txt <<'EXPECTED'
Hall, second floor [ 'Food\\', 'drink', 'Music' ]
Hall, second floor [ 'Food\\', ' drink', 'Music' ]
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
