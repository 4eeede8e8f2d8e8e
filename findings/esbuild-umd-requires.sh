#!/usr/bin/env bash
# esbuild bundles jsonc-parser for Node without a warning, and the bundle ends at its start: the
# CommonJS build of that package is UMD, which hands `require` to a function, so esbuild does not
# see what it loads. Its modules, which `mainFields` can choose, are bundled whole.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --save-exact esbuild@0.28.2 jsonc-parser@3.3.1
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { parse } from 'jsonc-parser';

console.log(parse('{ "days": 28 } // February').days);
PROGRAM
cat >expected.txt <<'EXPECTED'
by default: Error: Cannot find module './impl/format'
modules first: 28
EXPECTED

# Runs a bundle in a folder without packages. Prints what it prints, or the first line of its error.
run() {
  mkdir "$1"
  npx esbuild program.mjs --bundle --platform=node --log-level=warning --outfile="$1/program.cjs" "${@:2}"
  (cd "$1" && node program.cjs 2>&1) | grep --max-count=1 -E '^Error|^[0-9]+$'
}
{
  echo "by default: $(run default)"
  echo "modules first: $(run modules --main-fields=module,main)"
} | tee seen.txt
diff expected.txt seen.txt && echo "still so"
