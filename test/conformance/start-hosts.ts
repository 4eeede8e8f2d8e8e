import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engine, onPath } from '../setup/engines.ts';
import { freePort } from '../setup/processes.ts';
import { askOver, type Ask } from './run-rows.ts';

/** A running engine. */
export interface Running {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

/** A running engine that listens on this machine. */
export interface Listening extends Running {
  /** The address of the site, without a trailing slash. */
  readonly address: string;
}

/*
 * Each function starts a real program with the files that `almanac host` wrote to the folder `to`
 * for `baseUrl`. Returns null if the program is not installed.
 */

export async function startWorkerd(to: string, baseUrl: string): Promise<Listening> {
  const { Miniflare } = await import('miniflare');
  const config = JSON.parse(
    readFileSync(join(to, 'wrangler.jsonc'), 'utf8').replace(/^\s*\/\/.*$/gm, ''),
  ) as {
    compatibility_date: string;
    vars: Record<string, string>;
    assets: {
      directory: string;
      binding: string;
      html_handling: 'none';
      not_found_handling: 'none';
      run_worker_first: true | string[];
    };
  };
  const { directory, binding, html_handling, not_found_handling, run_worker_first } = config.assets;
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    modules: [
      {
        type: 'ESModule',
        path: 'worker.js',
        contents: readFileSync(join(to, 'worker.js'), 'utf8'),
      },
    ],
    compatibilityDate: config.compatibility_date,
    bindings: config.vars,
    assets: {
      directory: join(to, directory),
      binding,
      assetConfig: { html_handling, not_found_handling },
      routerConfig: {
        has_user_worker: true,
        invoke_user_worker_ahead_of_assets: run_worker_first === true,
        ...(run_worker_first !== true && { static_routing: { user_worker: run_worker_first } }),
      },
    },
  });
  const address = addressAt(Number((await miniflare.ready).port), baseUrl);
  return { address, ask: askOver(address), close: () => miniflare.dispose() };
}

export async function startNode(to: string, baseUrl: string): Promise<Listening> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(to, 'server.mjs')], {
    env: { PORT: String(port), HOST: '127.0.0.1' },
  });
  return untilItAnswers(child, port, baseUrl);
}

/** Serves a site with nginx as a server of its own. */
export async function startNginx(to: string, baseUrl: string): Promise<Listening | null> {
  const own = readFileSync(join(to, 'almanac.conf'), 'utf8').replace('listen [::]:80;', '');
  return runNginx(to, baseUrl, (listen) => own.replace('listen 80;', listen));
}

/** Serves sites with nginx, each below its path of one server. Asks the first. */
export async function startNginxBelow(
  folders: readonly string[],
  baseUrl: string,
): Promise<Listening | null> {
  const maps = folders.map((to) => `include ${to}/almanac-maps.conf;`).join(' ');
  const locations = folders.map((to) => `include ${to}/almanac-location.conf;`).join(' ');
  // The rules of this server for other paths must not affect the responses below the paths of the
  // sites.
  const server = (listen: string): string => `${maps} server { ${listen} ${locations}
    root /nowhere; location ~ json|events { return 500; } location / { return 500; } }`;
  return runNginx(folders[0] ?? '', baseUrl, server);
}

/** Debian has it where the shell of a user does not look. */
export const findNginx = (): string | null =>
  [onPath('nginx'), '/usr/sbin/nginx'].find((path) => path !== null && existsSync(path)) ?? null;

async function runNginx(
  to: string,
  baseUrl: string,
  configure: (listen: string) => string,
): Promise<Listening | null> {
  const nginx = engine('nginx', findNginx, 'apt-get install nginx-light');
  if (nginx === null) return null;
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${to}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(to, 'nginx.conf'),
    `${user} daemon off; pid ${to}/pid; error_log ${to}/error.log; events {}
http { access_log off; ${temporary.join(' ')} ${configure(`listen 127.0.0.1:${port};`)} }\n`,
  );
  const child = spawn(nginx, ['-p', to, '-e', join(to, 'error.log'), '-c', join(to, 'nginx.conf')]);
  return untilItAnswers(child, port, baseUrl);
}

/** Serves a site with Caddy as a server of its own. */
export async function startCaddy(to: string, baseUrl: string): Promise<Listening | null> {
  const own = readFileSync(join(to, 'Caddyfile'), 'utf8');
  return runCaddy(to, baseUrl, (address) => own.replace(/^.* \{/, `${address} {`));
}

/** Serves sites with Caddy, each below its path of one server. Asks the first. */
export async function startCaddyBelow(
  folders: readonly string[],
  baseUrl: string,
): Promise<Listening | null> {
  const imports = folders
    .map((to) => `\timport ${JSON.stringify(join(to, 'almanac.caddy'))}\n`)
    .join('');
  // The rules of this server for other paths must not affect the responses below the paths of the
  // sites.
  const others =
    '\theader Cache-Control no-store\n\thandle {\n\t\trespond 500\n\t}\n\tfile_server\n';
  return runCaddy(folders[0] ?? '', baseUrl, (address) => `${address} {\n${imports}${others}}\n`);
}

async function runCaddy(
  to: string,
  baseUrl: string,
  configure: (address: string) => string,
): Promise<Listening | null> {
  const caddy = engine('Caddy', () => onPath('caddy'), 'apt-get install caddy');
  if (caddy === null) return null;
  const port = await freePort();
  const file = configure(`http://127.0.0.1:${port}`);
  const config = join(to, 'test.Caddyfile');
  writeFileSync(config, `{\n\tadmin off\n\tauto_https off\n}\n${file}`);
  const env = { HOME: to, XDG_DATA_HOME: to, XDG_CONFIG_HOME: to, PATH: process.env['PATH'] };
  const child = spawn(caddy, ['run', '--config', config, '--adapter', 'caddyfile'], { env });
  return untilItAnswers(child, port, baseUrl);
}

/** Sends requests until a server responds. Throws with its output if it exits first. */
export async function untilItAnswers(
  child: ChildProcess,
  port: number,
  baseUrl: string,
): Promise<Listening> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdout?.resume();
  let hasEnded = false;
  const ended = new Promise<void>((done) => child.once('exit', () => done())).finally(
    () => (hasEnded = true),
  );
  const address = addressAt(port, baseUrl);
  const ask = askOver(address);
  while (!hasEnded) {
    const isThere = await ask('api/v1/genres.json', 'GET', {}).then(
      () => true,
      () => false,
    );
    if (isThere) {
      const close = (): Promise<void> => {
        child.kill();
        return ended;
      };
      return { address, ask, close };
    }
    await new Promise((next) => setImmediate(next));
  }
  throw new Error(`it ended instead of answering: ${output}`);
}

function addressAt(port: number, baseUrl: string): string {
  return `http://127.0.0.1:${port}${new URL(baseUrl).pathname}`.replace(/\/$/, '');
}
