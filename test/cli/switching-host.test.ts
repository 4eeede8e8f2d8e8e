import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

/*
 * A host, or a proxy before it, that answers every request with status 101. Node then hands the connection over and
 * reports neither an answer nor an error.
 */

const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-central-1' };
const reason = 'it switches to another protocol (status 101)';

let host: string;
let cwd: string;
beforeEach(async () => {
  const { url, close } = await listen((_, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  });
  onTestFinished(close);
  host = url;
  cwd = tempFolder();
  writeTree(cwd, sample);
  expect(await almanac(`build --now ${now}`)).toMatchObject({ code: 0 });
});

async function almanac(command: string): Promise<Run> {
  return runAlmanac(command.replace('HOST', host).split(' '), { cwd, env });
}

test.each([
  `build --against HOST --now ${now}`,
  'verify HOST',
  `diff HOST --now ${now}`,
  'publish s3://bucket --endpoint HOST',
])('almanac %s reports a host that switches protocols', async (command) => {
  const { code, stderr } = await almanac(command);
  expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
});

test.each(['check --sync', 'build --sync'])(
  'almanac %s reports a source whose host switches protocols',
  async (command) => {
    const source = { name: 'Remote', source: `${host}/a.ics`, format: 'ics' };
    writeTree(cwd, { 'data/tv/drama/remote.source.json': source });
    const { stdout, stderr } = await almanac(`${command} --now ${now}`);
    expect(stdout + stderr).toContain(reason);
  },
);
