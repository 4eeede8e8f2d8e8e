#!/usr/bin/env bash
# ts-ics moves a concert on the first Thursday of each month to midnight UTC, loses the first one, and
# takes BYSETPOS=1 for "all Thursdays but the first". By RFC 5545, section 3.3.10, the last two rules
# mean the same, at the time of day of DTSTART, as the first rule has it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact ts-ics@2.4.6
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { convertIcsRecurrenceRule, extendByRecurrenceRule } from 'ts-ics';

const start = new Date('2027-03-04T19:30:00Z'); // the first Thursday of March
for (const value of [
  'FREQ=MONTHLY;COUNT=3',
  'FREQ=MONTHLY;BYDAY=1TH;COUNT=3',
  'FREQ=MONTHLY;BYDAY=TH;BYSETPOS=1;COUNT=3',
]) {
  const dates = extendByRecurrenceRule(convertIcsRecurrenceRule(undefined, { value }), {
    start,
    end: new Date('2028-01-01T00:00:00Z'),
  });
  console.log(value);
  console.log(' ', dates.map((date) => date.toISOString().slice(0, 16)).join(' '));
}
PROGRAM
cat >expected.txt <<'EXPECTED'
FREQ=MONTHLY;COUNT=3
  2027-03-04T19:30 2027-04-04T19:30 2027-05-04T19:30
FREQ=MONTHLY;BYDAY=1TH;COUNT=3
  2027-04-01T00:00 2027-05-06T00:00 2027-06-03T00:00
FREQ=MONTHLY;BYDAY=TH;BYSETPOS=1;COUNT=3
  2027-03-11T00:00 2027-03-18T00:00 2027-03-25T00:00
EXPECTED

TZ=UTC node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
