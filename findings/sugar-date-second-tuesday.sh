#!/usr/bin/env bash
# sugar-date reads "first Tuesday of May" and "last Tuesday of May", but "second", "third" and "fourth"
# give the first of May, a Saturday, unless "the" is before them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact sugar-date@2.0.6
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import Sugar from 'sugar-date';

for (const which of ['first', 'second', 'the second', 'third', 'last']) {
  const date = Sugar.Date.create(`${which} Tuesday of May 2027`, { fromUTC: true });
  console.log(which, '|', date.toUTCString().slice(0, 16));
}
PROGRAM
cat >expected.txt <<'EXPECTED'
first | Tue, 04 May 2027
second | Sat, 01 May 2027
the second | Tue, 11 May 2027
third | Sat, 01 May 2027
last | Tue, 25 May 2027
EXPECTED

TZ=UTC node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
