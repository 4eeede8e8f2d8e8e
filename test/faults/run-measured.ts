import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnAlmanac, type Run } from '../setup/run-almanac.ts';

export interface MeasuredRun extends Run {
  /** The peak memory. */
  readonly megabytes: number;
  /** Seconds of processor time, which does not depend on the load of the machine. */
  readonly cpu: number;
}

const file = 'almanac-usage';
const preload = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('${file}', JSON.stringify(process.resourceUsage())));`;

/** Runs the command in a working directory and measures it. `node` contains additional arguments for Node. */
export async function runMeasured(
  cwd: string,
  args: readonly string[],
  node: readonly string[] = [],
): Promise<MeasuredRun> {
  const run = await spawnAlmanac(args, {
    cwd,
    node: [...node, '--import', `data:text/javascript,${encodeURIComponent(preload)}`],
  });
  // A process that runs out of memory exits without writing the file.
  if (!existsSync(join(cwd, file))) return { ...run, megabytes: Infinity, cpu: Infinity };
  const usage = JSON.parse(readFileSync(join(cwd, file), 'utf8')) as NodeJS.ResourceUsage;
  rmSync(join(cwd, file));
  return {
    ...run,
    megabytes: Math.round(usage.maxRSS / 1000),
    cpu: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
  };
}
