import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { baseUrl, catalogueIn, now, sizes } from '../bench/catalogue.ts';
import { clientOf } from '../publish/s3-client.ts';
import { tempFolder } from '../setup/folders.ts';
import { radosgw, startRadosgw } from '../setup/radosgw.ts';
import { almanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { report } from './counts.ts';
import { slurm, startSlurm } from './slurm.ts';

/** The number of events of the catalogue. */
const events = 200_000;

test.skipIf(slurm === null)('a cluster that loses a node builds the site of one process', async () => {
  const cwd = await setUp();
  await buildOnCluster(cwd, join(cwd, 'parts'), {});
  report(`a job array of 8 parts, ${events} events, a node killed meanwhile: the bytes of one process`);
});

test.skipIf(slurm === null || radosgw === null)('the same with the parts in an S3 service', async () => {
  const service = await startRadosgw();
  onTestFinished(service.stop);
  await clientOf(service).makeBucket('parts');
  const cwd = await setUp();
  await buildOnCluster(cwd, 's3://parts/nightly', service.env);
  report(`a job array of 8 parts in a bucket, ${events} events, a node killed meanwhile: the bytes of one process`);
});

/** Returns a folder with a catalogue, its site by one process in `whole`, and the jobs of `almanac host slurm`. */
async function setUp(): Promise<string> {
  const cwd = tempFolder();
  const size = sizes.find((one) => one.events === events);
  if (size === undefined) throw new Error('found no such catalogue');
  renameSync(catalogueIn(cwd, size), join(cwd, 'data'));
  const build = ['build', '--jobs', '1', '--out', 'whole', '--base-url', baseUrl, '--now', now, '--quiet'];
  expect(await spawnAlmanac(build, { cwd })).toMatchObject({ code: 0 });
  const host = ['host', 'slurm', '--to', 'jobs', '--base-url', baseUrl, '--quiet'];
  expect(await spawnAlmanac(host, { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** Builds the catalogue as the help of `almanac host slurm` says, and kills a node while it works on a part. */
async function buildOnCluster(cwd: string, parts: string, env: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(cwd, 'cluster');
  mkdirSync(folder);
  const cluster = await startSlurm(folder);
  onTestFinished(cluster.stop);
  const variables = { ...env, ALMANAC: `${process.execPath} ${almanac}`, PARTS: parts, NOW: now };
  const exported = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const submit = (...args: readonly string[]): string =>
    cluster
      .run('sbatch', '--parsable', '--mem=0', `--chdir=${cwd}`, `--export=ALL,${exported.join(',')}`, ...args)
      .trim();
  const array = submit('--array=1-8', '--output=part-%a.log', '--open-mode=append', join(cwd, 'jobs/parts.sbatch'));
  submit(`--dependency=afterany:${array}`, '--output=join.log', join(cwd, 'jobs/join.sbatch'));

  const runningOn = (node: string): string =>
    cluster.run('squeue', '--noheader', '--states=RUNNING', `--nodelist=${node}`, '--format=%i').trim();
  await expect.poll(() => runningOn('two')).toMatch(/_\d/);
  const killed = runningOn('two');
  cluster.killNode('two');
  await expect.poll(() => cluster.run('squeue', '--noheader', '--format=%i').trim(), { timeout: 600_000 }).toBe('');

  const log = existsSync(join(cwd, 'join.log')) ? readFileSync(join(cwd, 'join.log'), 'utf8') : 'the join did not run';
  expect(log, log).toContain('Built dist');
  const requeued = readFileSync(join(folder, 'log/controller'), 'utf8');
  expect(requeued).toContain(`Requeuing JobId=${killed}`);
  execFileSync('diff', ['-r', join(cwd, 'dist'), join(cwd, 'whole')]);
  rmSync(join(cwd, 'dist'), { recursive: true });
}
