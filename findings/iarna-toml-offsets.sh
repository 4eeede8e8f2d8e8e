#!/usr/bin/env bash
# @iarna/toml keeps of a date-time with an offset only the instant, so the day at the place is lost;
# smol-toml keeps the offset.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @iarna/toml@3.0.0 smol-toml@1.9.1
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import iarna from '@iarna/toml';
import { parse } from 'smol-toml';

const text = 'starts = 2027-03-05T00:30:00+09:00';
console.log(iarna.parse(text).starts.toISOString());
console.log(parse(text).starts.toISOString());
PROGRAM
cat >expected.txt <<'EXPECTED'
2027-03-04T15:30:00.000Z
2027-03-05T00:30:00.000+09:00
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
