#!/usr/bin/env bash
# The assets of a Cloudflare worker, as Miniflare runs them, answer a request for a range with status
# 200 and the whole file, and do not say that ranges are not supported.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact miniflare@4.20260426.0
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { mkdirSync, writeFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';

mkdirSync('site');
writeFileSync('site/events.csv', '0123456789');
const worker = new Miniflare({
  modules: true,
  script: 'export default { fetch: (request, { ASSETS }) => ASSETS.fetch(request) }',
  compatibilityDate: '2026-01-01',
  assets: { directory: 'site', binding: 'ASSETS' },
});
const headers = { Range: 'bytes=0-3' };
const answer = await worker.dispatchFetch('http://127.0.0.1/events.csv', { headers });
console.log(answer.status, answer.headers.get('accept-ranges'), await answer.text());
await worker.dispose();
PROGRAM
cat >expected.txt <<'EXPECTED'
200 null 0123456789
EXPECTED

node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
