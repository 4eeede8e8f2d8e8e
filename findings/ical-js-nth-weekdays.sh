#!/usr/bin/env bash
# ical.js adds a tour on the first day of each month to two tours on the first Sunday, leaves the second
# tour out where the rule is yearly, and takes "every 20th Monday of the year", an example of RFC 5545
# (section 3.8.5.3), for every Monday from then on. DTSTART fits the rule each time.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact ical.js@2.2.1
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import ICAL from 'ical.js';

for (const [rule, start] of [
  ['FREQ=MONTHLY;BYDAY=1SU;BYHOUR=11,15', '2027-03-07T11:00:00'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=1SU;BYHOUR=11,15', '2027-03-07T11:00:00'],
  ['FREQ=YEARLY;BYDAY=20MO', '2027-05-17T11:00:00'],
]) {
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(start));
  console.log(rule);
  console.log(' ', [1, 2, 3, 4, 5].map(() => `${iterator.next()}`.slice(0, 13)).join(' '));
}
PROGRAM
cat >expected.txt <<'EXPECTED'
FREQ=MONTHLY;BYDAY=1SU;BYHOUR=11,15
  2027-03-07T11 2027-03-07T15 2027-04-01T15 2027-04-04T11 2027-04-04T15
FREQ=YEARLY;BYMONTH=3;BYDAY=1SU;BYHOUR=11,15
  2027-03-07T11 2028-03-05T11 2029-03-04T11 2030-03-03T11 2031-03-02T11
FREQ=YEARLY;BYDAY=20MO
  2027-05-17T11 2027-05-24T11 2027-05-31T11 2027-06-07T11 2027-06-14T11
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
