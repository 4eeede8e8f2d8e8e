import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { isUpdate } from '../setup/golden.ts';

/* The names of zones and countries are JSON files, from packages that the program itself does not load. */

const windowsNames = [...new Set(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => windowsName))];

test.each<[path: string, content: object]>([
  [
    'readers/ics/windows-zones.json',
    Object.fromEntries(windowsNames.map((name) => [name, findIana(name)])),
  ],
  ['readers/schema/country-codes.json', iso31661Alpha2ToAlpha3],
])('%s is that of its package', (path, content) => {
  const file = join(import.meta.dirname, '../../src', path);
  if (isUpdate) writeFileSync(file, `${JSON.stringify(content)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(content);
});
