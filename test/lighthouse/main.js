/* eslint-disable no-console -- this is a command of its own */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

/*
 * Reports what Lighthouse says of the pages of the starter catalogue, with its settings for phones: `npm run
 * lighthouse`. Exits with 1 if a category of a page has fewer than 95 points.
 */
const least = 95;
const site = resolve('.bench/lighthouse');
const pages = {
  home: '',
  category: 'category/space/',
  genre: 'genre/eclipses-space/',
  subject: 'genre/eclipses-space/total-solar-eclipses/',
  month: 'month/',
  reference: 'api/v1/',
};
const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.webmanifest': 'application/manifest+json',
};

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://site').pathname
    .slice(1)
    .replace(/(^|\/)$/, '$1index.html');
  try {
    const body = gzipSync(readFileSync(join(site, path)));
    const type = types[extname(path)] ?? 'application/json';
    response
      .writeHead(200, {
        'Content-Type': type,
        'Content-Encoding': 'gzip',
        'Cache-Control': 'max-age=300',
      })
      .end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => {
  server.listen(0, '127.0.0.1', done);
});
const address = `http://127.0.0.1:${server.address().port}`;
const build = [
  'lib/bin/main.js',
  'build',
  '--quiet',
  '--no-flush',
  '--out',
  site,
  '--base-url',
  address,
];
execFileSync(process.execPath, build, { stdio: 'inherit' });

const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
let isGood = true;
mkdirSync('test/.output', { recursive: true });
for (const [name, path] of Object.entries(pages)) {
  const { lhr, report } = await lighthouse(`${address}/${path}`, {
    port: chrome.port,
    output: 'html',
  });
  const scores = Object.values(lhr.categories).map(({ id, score }) => [
    id,
    Math.round(score * 100),
  ]);
  isGood &&= scores.every(([, score]) => score >= least);
  writeFileSync(`test/.output/lighthouse-${name}.html`, report);
  console.log(`${name.padEnd(10)} ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}`);
  for (const { id, title, score, displayValue = '' } of Object.values(lhr.audits)) {
    if (score !== null && score < 0.9) console.log(`           ${id}: ${title} ${displayValue}`);
  }
}
chrome.kill();
server.close();
process.exitCode = isGood ? 0 : 1;
