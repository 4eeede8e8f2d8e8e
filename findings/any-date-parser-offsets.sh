#!/usr/bin/env bash
# any-date-parser applies the offset of an ISO 8601 time only after seconds: 19:30+01:00 is taken for
# 19:30 UTC, an hour late, and the week date 2027-W10-4, which is 11 March, for 4 October.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact any-date-parser@2.2.4
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import parser from 'any-date-parser';

for (const text of ['2027-03-04T19:30:00+01:00', '2027-03-04T19:30+01:00', '2027-W10-4']) {
  console.log(text, '|', parser.fromString(text, 'en-US').toISOString());
}
PROGRAM
cat >expected.txt <<'EXPECTED'
2027-03-04T19:30:00+01:00 | 2027-03-04T18:30:00.000Z
2027-03-04T19:30+01:00 | 2027-03-04T19:30:00.000Z
2027-W10-4 | 2027-10-04T00:00:00.000Z
EXPECTED

TZ=UTC node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
