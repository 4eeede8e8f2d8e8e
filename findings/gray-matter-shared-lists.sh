#!/usr/bin/env bash
# gray-matter gives two callers that read the same text one and the same data: what the first adds to
# a list, the second reads from its "file". With any options, each has data of its own.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact gray-matter@4.0.3
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import matter from 'gray-matter';

const text = '---\ntags: [music]\n---\nA concert.\n';
matter(text).data.tags.push('added by the first caller');
console.log(matter(text).data.tags);
console.log(matter(text, {}).data.tags);
PROGRAM
cat >expected.txt <<'EXPECTED'
[ 'music', 'added by the first caller' ]
[ 'music' ]
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
