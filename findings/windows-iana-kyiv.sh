#!/usr/bin/env bash
# windows-iana has no Windows zone for Europe/Kyiv, the name that the IANA database has had since 2022,
# and answers with the former name; programs that look both ways lose Ukrainian events.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact windows-iana@5.1.0
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { findIana, findWindows } from 'windows-iana';

console.log(findWindows('Europe/Kyiv'), findWindows('Europe/Kiev'));
const names = findIana('FLE Standard Time');
console.log(names.includes('Europe/Kyiv'), names.includes('Europe/Kiev'));
PROGRAM
cat >expected.txt <<'EXPECTED'
[] [ 'FLE Standard Time' ]
false true
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
