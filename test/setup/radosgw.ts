import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engine, onPath } from './engines.ts';
import { endProcess, freePort } from './processes.ts';

/** A real S3 service on 127.0.0.1: the Ceph gateway with a cluster of one machine, in memory. */
export interface S3Service {
  readonly endpoint: string;
  /** The environment variables of a publisher. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const programs = [
  'ceph',
  'ceph-authtool',
  'ceph-mon',
  'ceph-osd',
  'monmaptool',
  'radosgw',
  'radosgw-admin',
];

/** Null if Ceph is not installed. */
export const radosgw = engine(
  'radosgw',
  () => (programs.every(onPath) ? onPath('radosgw') : null),
  'apt-get install --no-install-recommends ceph-common ceph-mon ceph-osd radosgw',
);

const keys = {
  AWS_ACCESS_KEY_ID: 'almanac-test',
  AWS_SECRET_ACCESS_KEY: 'almanac-test-secret',
  AWS_REGION: 'default',
};

/** Starts the service, which takes some seconds. Its temporary folder is removed when it stops. */
export async function startRadosgw(): Promise<S3Service> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-ceph-'));
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.toReversed().map(endProcess));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [monitor, s3] = [await freePort(), await freePort()];
    const config = configure(folder, monitor);
    const start = (program: string, ...args: string[]): void => {
      const log = openSync(join(folder, `${program}.out`), 'a');
      children.push(spawn(program, ['-c', config, '-f', ...args], { stdio: ['ignore', log, log] }));
    };
    startCluster(folder, config, start, monitor);
    grant(folder, config, 'client.rgw', ['mon', 'allow rw', 'osd', 'allow rwx']);
    start('radosgw', '-n', 'client.rgw', `--rgw-frontends=beast endpoint=127.0.0.1:${s3}`);
    await untilItAnswers(s3);
    const access = [
      `--access-key=${keys.AWS_ACCESS_KEY_ID}`,
      `--secret-key=${keys.AWS_SECRET_ACCESS_KEY}`,
    ];
    const user = ['user', 'create', '--uid=test', '--display-name=test', ...access];
    execFileSync('radosgw-admin', ['-c', config, ...user], { stdio: ['ignore', 'ignore', 'pipe'] });
    const endpoint = `http://127.0.0.1:${s3}`;
    return { endpoint, env: { ...keys, AWS_ENDPOINT_URL: endpoint }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Start = (program: string, ...args: string[]) => void;

/** Configures access control, and pools with one copy. */
function configure(folder: string, monitor: number): string {
  for (const name of ['mon', 'osd', 'run', 'crash']) mkdirSync(join(folder, name));
  const config = join(folder, 'ceph.conf');
  const settings = {
    fsid: randomUUID(),
    'mon host': `v2:127.0.0.1:${monitor}`,
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'auth cluster required': 'cephx',
    'auth service required': 'cephx',
    'auth client required': 'cephx',
    keyring: `${folder}/$name.keyring`,
    'log file': `${folder}/$name.log`,
    'admin socket': `${folder}/run/$name.asok`,
    'run dir': `${folder}/run`,
    'crash dir': `${folder}/crash`,
    'mon data': `${folder}/mon`,
    'osd data': `${folder}/osd`,
    'osd objectstore': 'memstore',
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 1,
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': 0,
    'mon allow pool size one': true,
    'ms bind ipv6': false,
    'rgw data': `${folder}/rgw`,
    'rgw usage max user shards': 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(config, `[global]\n${lines.join('')}`);
  return config;
}

function startCluster(folder: string, config: string, start: Start, monitor: number): void {
  const run = (program: string, ...args: string[]): string =>
    String(execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const [ring, admin, map] = ['mon.keyring', 'client.admin.keyring', 'monmap'].map((name) =>
    join(folder, name),
  );
  if (ring === undefined || admin === undefined || map === undefined) return;
  run(
    'ceph-authtool',
    '--create-keyring',
    ring,
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  );
  const all = ['mon', 'osd', 'mgr'].flatMap((kind) => ['--cap', kind, 'allow *']);
  run('ceph-authtool', '--create-keyring', admin, '--gen-key', '-n', 'client.admin', ...all);
  run('ceph-authtool', ring, '--import-keyring', admin);
  run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, map);
  run('ceph-mon', '-c', config, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', ring);
  start('ceph-mon', '-i', 'a');
  const uuid = randomUUID();
  run('ceph', '-c', config, 'osd', 'new', uuid, '0');
  grant(folder, config, 'osd.0', ['mon', 'allow profile osd', 'osd', 'allow *']);
  run('ceph-osd', '-c', config, '-i', '0', '--mkfs', '--osd-uuid', uuid);
  start('ceph-osd', '-i', '0');
}

function grant(folder: string, config: string, who: string, rights: readonly string[]): void {
  const output = join(folder, `${who}.keyring`);
  execFileSync('ceph', ['-c', config, 'auth', 'get-or-create', who, ...rights, '-o', output], {
    stdio: 'ignore',
  });
}

/** Waits until a server responds. */
async function untilItAnswers(port: number): Promise<void> {
  for (let tried = 0; ; tried++) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch (error) {
      if (tried === 900) throw error;
      await sleep(100);
    }
  }
}
