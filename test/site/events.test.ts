import { expect, test } from 'vitest';
import { readEvents } from '../../src/site/events.ts';
import { openSite } from '../../src/site/site.ts';

/** A site whose files never end, and how many blocks of 1 MiB were read of it. */
function endless(block: Buffer) {
  const read = { blocks: 0 };
  const blocks = function* () {
    for (;;) {
      read.blocks++;
      yield block;
    }
  };
  return { read, site: { ...openSite('live', '.'), blocks: async () => blocks() } };
}

const lines = Buffer.alloc(1024 ** 2, `{"id":"drama-tv/s/e","title":"${'x'.repeat(1024 * 4 - 33)}"}\n`);

test('no more than 256 MiB of the events of a genre are read', async () => {
  const { read, site } = endless(lines);
  const reasons: string[] = [];
  const { texts } = await readEvents(site, 'drama-tv', (reason) => reasons.push(reason));
  expect(reasons).toEqual(['found more than 268,435,456 bytes']);
  expect([...texts.keys()]).toEqual(['drama-tv/s/e']);
  expect(read.blocks).toBe(257);
  await expect(readEvents(endless(lines).site, 'drama-tv')).rejects.toThrow('more than 268,435,456 bytes');
});

test('no more than 1 MiB of a line is read, and a block', async () => {
  const { read, site } = endless(Buffer.alloc(1024 ** 2, 'x'));
  const reasons: string[] = [];
  await readEvents(site, 'drama-tv', (reason) => reasons.push(reason));
  expect(reasons).toEqual(['found a line of more than 1,048,576 characters']);
  expect(read.blocks).toBe(2);
});
