#!/usr/bin/env bash
# tz-lookup puts Ciudad Juárez, a city of 1.5 million, into America/Ojinaga, whose clocks have been an
# hour ahead of those of the city since 2022, and Nuuk and Kyiv into zones under their former names.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact tz-lookup@6.1.25
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import zoneAt from 'tz-lookup';

const clock = (timeZone) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(
    new Date('2026-01-15T18:00:00Z'),
  );
const zone = zoneAt(31.69, -106.42);
console.log(zone, clock(zone), 'in place of', clock('America/Ciudad_Juarez'));
console.log(zoneAt(64.18, -51.7), zoneAt(50.45, 30.52));
PROGRAM
cat >expected.txt <<'EXPECTED'
America/Ojinaga 12:00 in place of 11:00
America/Godthab Europe/Kiev
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
