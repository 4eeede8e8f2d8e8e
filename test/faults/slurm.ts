import { spawn, type ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { engine, onPath } from '../setup/engines.ts';
import { endProcess, freePort } from '../setup/processes.ts';

const programs = ['slurmctld', 'slurmd', 'sbatch', 'squeue', 'scontrol'];

/** Null if Slurm is not installed, or if the tests do not run as root, which its daemons need. */
export const slurm = engine(
  'Slurm',
  () => (programs.every(onPath) && process.getuid?.() === 0 ? onPath('slurmctld') : null),
  'as root: apt-get install --no-install-recommends slurm-wlm',
);

/** A cluster with two nodes on this machine. */
export interface Cluster {
  /** Runs a command of Slurm. Returns what it prints. */
  readonly run: (program: string, ...args: readonly string[]) => string;
  /** Kills the daemon of a node like a power cut, and reports that to the controller, which would notice only later. */
  readonly killNode: (node: (typeof nodes)[number]) => void;
  readonly stop: () => Promise<void>;
}

const nodes = ['one', 'two'] as const;

/** Starts a cluster whose files are in `folder`. It answers within seconds. */
export async function startSlurm(folder: string): Promise<Cluster> {
  for (const name of ['state', 'log', ...nodes]) mkdirSync(join(folder, name), { recursive: true });
  const config = join(folder, 'slurm.conf');
  writeFileSync(config, configOf(folder, await freePort(), [await freePort(), await freePort()]));
  const env = { ...process.env, SLURM_CONF: config };
  const start = (program: string, name: string, ...args: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, 'log', `${name}.out`), 'a');
    return spawn(program, ['-D', ...args], { env, stdio: ['ignore', log, log] });
  };
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { env, encoding: 'utf8' });
  const daemons = new Map<string, ChildProcess>([['controller', start('slurmctld', 'controller')]]);
  for (const node of nodes) daemons.set(node, start('slurmd', node, '-N', node));
  const stop = async (): Promise<void> => {
    await Promise.all([...daemons.values()].map(endProcess));
  };
  const isReady = (): string => {
    try {
      return run('sinfo', '--noheader', '--format=%T %D').trim();
    } catch {
      return 'no answer';
    }
  };
  await expect.poll(isReady).toBe('idle 2');
  return {
    run,
    stop,
    killNode: (node) => {
      daemons.get(node)?.kill('SIGKILL');
      run('scontrol', 'update', `nodename=${node}`, 'state=down', 'reason=killed');
    },
  };
}

function configOf(folder: string, controller: number, ports: readonly number[]): string {
  const host = hostname().split('.')[0];
  const settings = {
    ClusterName: 'almanac',
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmctldPort: controller,
    // Neither munge nor a key is needed on one machine. A killed job may start again once its credential has expired.
    AuthType: 'auth/none',
    AuthInfo: 'cred_expire=5',
    CredType: 'cred/none',
    SlurmUser: 'root',
    StateSaveLocation: join(folder, 'state'),
    SlurmdSpoolDir: join(folder, '%n'),
    SlurmctldPidFile: join(folder, 'controller.pid'),
    SlurmdPidFile: join(folder, '%n.pid'),
    SlurmctldLogFile: join(folder, 'log/controller'),
    SlurmdLogFile: join(folder, 'log/%n'),
    ProctrackType: 'proctrack/pgid',
    TaskPlugin: 'task/none',
    SwitchType: 'switch/none',
    MpiDefault: 'none',
    SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_Core',
    SlurmdParameters: 'config_overrides',
    JobRequeue: 1,
  };
  const places = nodes.map(
    (node, index) => `NodeName=${node} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[index]} CPUs=1`,
  );
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [...lines, ...places, `PartitionName=all Nodes=${nodes.join(',')} Default=YES State=UP`, ''].join('\n');
}
