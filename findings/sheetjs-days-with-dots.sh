#!/usr/bin/env bash
# SheetJS reads a column of days in a CSV file, written as in Germany (day.month.year), as two kinds:
# the first twelve days of a month become dates with day and month swapped, the others stay texts.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact xlsx@0.18.5
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import XLSX from 'xlsx';

const { Sheets } = XLSX.read('Tag;Titel\n03.04.2027;A\n13.04.2027;B\n', { type: 'string' });
for (const { t: type, v: value, w: text } of [Sheets.Sheet1.A2, Sheets.Sheet1.A3]) {
  const { y, m, d } = type === 'n' ? XLSX.SSF.parse_date_code(value) : {};
  console.log(text ?? value, '|', type === 'n' ? `year ${y}, month ${m}, day ${d}` : 'a text');
}
PROGRAM
cat >expected.txt <<'EXPECTED'
3/4/27 | year 2027, month 3, day 4
13.04.2027 | a text
EXPECTED

TZ=UTC node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
