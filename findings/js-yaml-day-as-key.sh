#!/usr/bin/env bash
# js-yaml 4 turns a day that is a key into the text of a Date, whose day depends on the time zone of
# the machine: west of Greenwich it is the day before.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact js-yaml@4.3.2
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import yaml from 'js-yaml';

// A list by day, as schedules are often kept.
console.log(Object.keys(yaml.load('2027-03-04: Open day\n')));
console.log(Object.keys(yaml.load('"2027-03-04": Open day\n')));
console.log(Object.keys(yaml.load('2027-03-04: Open day\n', { schema: yaml.CORE_SCHEMA })));
PROGRAM
cat >expected.txt <<'EXPECTED'
[ 'Wed Mar 03 2027 19:00:00 GMT-0500 (Eastern Standard Time)' ]
[ '2027-03-04' ]
[ '2027-03-04' ]
EXPECTED

TZ=America/New_York node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
