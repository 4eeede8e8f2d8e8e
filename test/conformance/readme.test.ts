import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hosts } from '../../src/deploy/hosts/table.ts';
import { hostTable } from './host-table.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const narrow = (text: string): string => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

test('the table of hosts in README.md is what the hosts declare', () => {
  const table = hostTable(hosts);
  if (!narrow(readme).includes(table)) process.stdout.write(`README.md should hold:\n\n${table}\n\n`);
  expect(narrow(readme).includes(table)).toBe(true);
});

test('every host has a section in README.md', () => {
  const headings = readme.match(/(?<=^#### ).*$/gm) ?? [];
  expect(headings).toEqual(hosts.map(({ title }) => title));
});
