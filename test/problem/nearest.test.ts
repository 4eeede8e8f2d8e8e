import { expect, test } from 'vitest';
import { nearest } from '../../src/problem/nearest.ts';

const eventKeys = ['title', 'starts', 'zone', 'url', 'id', 'cancelled'];
const subjectKeys = ['$schema', 'name', 'url', 'events'];
const hosts = ['nginx', 'caddy', 'netlify', 'cloudflare', 'cloudfront', 'github-pages'];

test.each([
  ['titel', eventKeys, 'title'],
  ['TITLE', eventKeys, 'title'],
  ['tit', eventKeys, 'title'],
  ['strats', eventKeys, 'starts'],
  ['timezone', eventKeys, 'zone'],
  ['cancel', eventKeys, 'cancelled'],
  ['Name', subjectKeys, 'name'],
  ['event', subjectKeys, 'events'],
  ['ngnix', hosts, 'nginx'],
  ['github', hosts, 'github-pages'],
])('%s in %j: did you mean %s?', (written, candidates, meant) => {
  expect(nearest(written, candidates)).toBe(meant);
});

test.each([
  ['time', eventKeys],
  ['homepage', subjectKeys],
  ['cloud', hosts],
  ['', eventKeys],
  ['title', []],
  ['x'.repeat(101), eventKeys],
])('%s in %j: none is near, or several are', (written, candidates) => {
  expect(nearest(written, candidates)).toBeNull();
});
