#!/usr/bin/env bash
# ical-generator writes an instant as a clock time of the zone of the machine, and names the zone of
# the calendar beside it: 19:30 UTC is 14:30 "in Berlin" on a machine in New York. It is 20:30 there.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact ical-generator@10.2.0
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import ical from 'ical-generator';

const calendar = ical({ name: 'Concerts', timezone: 'Europe/Berlin' });
calendar.createEvent({ start: new Date('2027-03-04T19:30:00Z'), summary: 'Concert' });
console.log(calendar.toString().match(/^(X-WR-TIMEZONE|DTSTART).*(?=\r)/gm));
PROGRAM
cat >expected.txt <<'EXPECTED'
[ 'X-WR-TIMEZONE:Europe/Berlin', 'DTSTART:20270304T143000' ]
EXPECTED

TZ=America/New_York node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
