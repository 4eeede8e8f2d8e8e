#!/usr/bin/env bash
# Eleventy takes `date: 2027-03-04 19:30:00` of a page as UTC, wherever the machine is, and refuses the
# same without seconds, since YAML makes a date of the one and a text of the other.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @11ty/eleventy@3.1.8
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { mkdirSync, writeFileSync } from 'node:fs';
import Eleventy from '@11ty/eleventy';

console.error = () => {};
for (const [folder, date] of [
  ['seconds', '2027-03-04 19:30:00'],
  ['minutes', '2027-03-04 19:30'],
]) {
  mkdirSync(folder);
  writeFileSync(`${folder}/concert.liquid`, `---\ndate: ${date}\n---\n{{ page.date | date: "%s" }}`);
  try {
    const [page] = await new Eleventy(folder, 'out', { quietMode: true }).toJSON();
    console.log(date, new Date(Number(page.content) * 1000).toISOString());
  } catch (error) {
    console.log(date, error.message.includes('is invalid') ? 'refused' : error.message);
  }
}
PROGRAM
cat >expected.txt <<'EXPECTED'
2027-03-04 19:30:00 2027-03-04T19:30:00.000Z
2027-03-04 19:30 refused
EXPECTED

TZ=America/New_York node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
