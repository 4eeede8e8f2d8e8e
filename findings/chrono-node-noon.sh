#!/usr/bin/env bash
# chrono-node reads "noon-2pm" as an event that begins at two: a word for a time is no start of a
# range, and the start is dropped without a sign.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact chrono-node@2.10.3
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { parse } from 'chrono-node';

for (const text of ['12pm-2pm, March 4 2027', 'noon-2pm, March 4 2027']) {
  const [{ start, end }] = parse(text, new Date('2026-11-28T12:00:00Z'));
  console.log(text, '|', start.get('hour'), end?.get('hour'));
}
PROGRAM
cat >expected.txt <<'EXPECTED'
12pm-2pm, March 4 2027 | 12 14
noon-2pm, March 4 2027 | 14 undefined
EXPECTED

TZ=UTC node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
