#!/usr/bin/env bash
# microformats-parser reads "12:15pm" in an h-event as "24:15", which is no time, and "12am" as noon.
# microformats.org, value class pattern: am and pm count on the 12-hour clock, so 12:15 and 00:00 are meant.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact microformats-parser@2.0.6
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { mf2 } from 'microformats-parser';

for (const time of ['11am', '12:15pm', '1pm', '12am']) {
  const { items } = mf2(
    `<div class="h-event">
      <p class="p-name">Concert</p>
      <p class="dt-start"><b class="value">2027-03-04</b>, <b class="value">${time}</b></p>
    </div>`,
    { baseUrl: 'https://example.org/' },
  );
  console.log(time, '|', items[0].properties.start[0]);
}
PROGRAM
cat >expected.txt <<'EXPECTED'
11am | 2027-03-04 11:00
12:15pm | 2027-03-04 24:15
1pm | 2027-03-04 13:00
12am | 2027-03-04 12:00
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
