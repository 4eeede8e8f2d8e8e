import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { engine, onPath } from './engines.ts';
import { afterFile, lastingFolder } from './folders.ts';

const python = '/usr/bin/python3'; // Debian's own, which has the bindings.
const service = '/usr/share/dbus-1/services/org.gnome.evolution.dataserver.Calendar8.service';
const bindings =
  'import gi; gi.require_version("ECal", "2.0"); gi.require_version("EDataServer", "1.2")';

/** The server behind the calendars of GNOME. Null if it, its bindings or D-Bus is missing. */
export const evolution = engine(
  'Evolution Data Server',
  () => {
    const isHere =
      existsSync(service) && existsSync(python) && spawnSync(python, ['-c', bindings]).status === 0;
    return isHere ? onPath('dbus-run-session') : null;
  },
  'apt-get install dbus evolution-data-server gir1.2-ecal-2.0 gir1.2-edataserver-1.2 python3-gi',
);

/** Subscribes to the calendar at an address until the tests of the file end. */
export class Subscription {
  /**
   * Fetches the calendar. Returns the entries that the server has then or had before, as the texts
   * of VEVENTs.
   */
  readonly entries: () => Promise<string[]>;

  constructor(address: string) {
    const program = join(import.meta.dirname, 'evolution.py');
    // The server runs in the group of the session, and ends with it.
    const child = spawn(evolution ?? '', ['--', python, program, address], {
      env: session(),
      detached: true,
    });
    const closed = once(child, 'close');
    afterFile(async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await closed;
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // A program that has ended takes no input, and what it printed says why.
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    this.entries = async () => {
      child.stdin.write('\n');
      const line = await lines.next();
      if (line.done === true) throw new Error(`Evolution Data Server ended: ${stderr}`);
      return JSON.parse(line.value) as string[];
    };
  }
}

/** Returns the environment of a session whose files are removed when the tests of the file end. */
function session(): NodeJS.ProcessEnv {
  const home = lastingFolder();
  return {
    PATH: '/usr/bin:/bin',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    // Without it, a machine without a network does not reach itself.
    GIO_USE_NETWORK_MONITOR: 'base',
    GIO_USE_VFS: 'local',
    GSETTINGS_BACKEND: 'memory',
  };
}
