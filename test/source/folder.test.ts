import { expect, test } from 'vitest';
import { listData } from '../../src/source/folder.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

/** Names with a special meaning in patterns or paths, or that a pattern may skip. */
const names = [
  'a\nb',
  '\u2028',
  'a b',
  ..."[a-z] {a,b} !(a) (a|b) * ** ? !a +(a) a\\b é '".split(' '),
];

test.each(['', 'tv/', 'tv/drama/'])(
  'reports every odd file name in %j, but no name that begins with a dot',
  (path) => {
    const files = names.map((name) => [`${path}${name}.json`, {}] as const);
    const data = writeTree(tempFolder(), {
      'service.json': {},
      'tv/category.json': {},
      'tv/drama/genre.json': {},
      [`${path}.hidden.json`]: {},
      [`${path}.folder/a`]: 'a',
      [`${path}README.md`]: 'a',
      ...Object.fromEntries(files),
    });
    const { problems } = listData(data, (name) => name);
    expect(new Set(problems.map(({ place }) => place?.file))).toEqual(
      new Set(files.map(([file]) => file)),
    );
    const codes = new Set(problems.map(({ code }) => code));
    expect([...codes]).toEqual([path === 'tv/drama/' ? 'bad-name' : 'stray-file']);
  },
);

test('also reports the problems in a folder with an odd name, unless the name has a line break', () => {
  const data = writeTree(tempFolder(), {
    'service.json': {},
    ...Object.fromEntries(names.map((name) => [`${name}/${name}/stray.txt`, 'a'])),
  });
  const { problems } = listData(data, (name) => name);
  const expected = names.flatMap((name) => {
    if (/[\n\r\u2028]/.test(name)) return [`bad-name ${name}`];
    return [
      `bad-name ${name}`,
      `bad-name ${name}/${name}`,
      `missing-file ${name}/${name}/genre.json`,
      `missing-file ${name}/category.json`,
      `stray-file ${name}/${name}/stray.txt`,
    ];
  });
  expect(problems.map(({ code, place }) => `${code} ${place?.file}`).toSorted()).toEqual(
    expected.toSorted(),
  );
});
