import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { frozenClock } from './clock.ts';
import { lastingFolder, writeTree } from './folders.ts';
import { readWorkflowIn, runStep, type Step } from './workflows.ts';

/*
 * Runs whole workflows of a repository on this machine: the shell of every step with nothing but the programs of a
 * runner, and in place of the actions what they do. An action, a context or a function that it does not know is an error.
 */

/** What happened, and what GitHub knows then. */
export interface Event {
  /** The commit to check out, or a branch. */
  readonly ref: string;
  /** The time of the machine, in seconds since the Unix epoch. */
  readonly time: number;
  /** Values of contexts, such as `github.run_number`. Missing inputs, secrets and variables are empty. */
  readonly contexts?: Readonly<Record<string, string | number>>;
  /** The document of the event. */
  readonly payload?: object;
}

type Value = string | number | boolean;

/** What became of a run. */
export interface WorkflowRun {
  /** The result of each job: `success`, `failure` or `skipped`. */
  readonly results: Readonly<Record<string, string>>;
  /** What the steps printed. */
  readonly log: string;
  readonly summary: string;
  /** The calls of gh, one a line. */
  readonly calls: string;
}

/** `gh` records its calls, and knows the address of the pages. `date` takes the time of the event for the clock. */
const programs = {
  gh: `#!/bin/bash
echo "gh $*" >> "$CALLS"
case "$*" in
  *" --jq .html_url"*) echo "$PAGES_URL" ;;
  *"/deployments?environment="*) if [ -e "$HOME/deployed" ]; then echo 12; fi ;;
  *"/deployments/12/statuses"*) echo success ;;
esac
`,
  date: `#!/bin/bash
case "$*" in *--date*) exec /bin/date "$@" ;; *) exec /bin/date --date "@$RUNNER_TIME" "$@" ;; esac
`,
};

export class LocalRunner {
  /** The site that is live: what was deployed last. */
  readonly live = lastingFolder();
  readonly #origin: string;
  readonly #pagesUrl: string;
  readonly #shared = lastingFolder();

  /**
   * @param origin a bare repository
   * @param serve serves a folder; returns its address
   */
  static async start(origin: string, serve: (folder: string) => Promise<string>): Promise<LocalRunner> {
    const live = lastingFolder();
    return new LocalRunner(origin, live, await serve(live));
  }

  private constructor(origin: string, live: string, pagesUrl: string) {
    this.live = live;
    this.#origin = origin;
    this.#pagesUrl = pagesUrl;
    writeTree(this.#shared, { ...programs, calls: '' });
    for (const name of Object.keys(programs)) chmodSync(join(this.#shared, name), 0o755);
  }

  /** An artifact of the last run that uploaded it. */
  artifact(name: string): string {
    return join(this.#shared, 'artifacts', name);
  }

  /** Runs the jobs of a workflow in their order, as they are in the commit of the event. */
  async run(file: string, event: Event): Promise<WorkflowRun> {
    const calls = join(this.#shared, 'calls');
    writeFileSync(calls, '');
    const tree = this.#clone(event.ref, lastingFolder());
    const { jobs } = readWorkflowIn(join(tree, '.github/workflows'), file);
    const run = { results: {} as Record<string, string>, log: '', summary: '' };
    const contexts = new Map<string, Value>(Object.entries({ ...constants, ...event.contexts }));
    for (const [name, job] of Object.entries(jobs)) {
      const isAlways = job.if?.includes('always()') === true;
      const isReady = isAlways || [job.needs ?? []].flat().every((needed) => run.results[needed] === 'success');
      if (!isReady || (job.if !== undefined && !evaluate(job.if, contexts))) {
        run.results[name] = 'skipped';
        continue;
      }
      const done = await new Job(this, event, new Map(contexts), job.env ?? {}).run(job.steps ?? []);
      for (const [output, value] of Object.entries(job.outputs ?? {}))
        contexts.set(`needs.${name}.outputs.${output}`, fill(value, done.contexts));
      run.results[name] = done.status;
      run.log += done.log;
      run.summary += done.summary;
      done.remove();
    }
    return { ...run, calls: readFileSync(calls, 'utf8') };
  }

  #clone(ref: string, to: string): string {
    execFileSync('git', ['clone', '--quiet', this.#origin, to]);
    execFileSync('git', ['checkout', '--quiet', ref], { cwd: to });
    return to;
  }

  /** Does what an action does. Returns its outputs. */
  act(uses: string, given: Readonly<Record<string, string>>, { workspace, ref }: Place): Outputs {
    const [action = ''] = uses.split('@');
    const name = given['name'] ?? '';
    const cached = join(this.#shared, 'cache');
    const copies = join(workspace, 'data/.cache');
    const copy = (from: string, to: string): Outputs => {
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true });
      return {};
    };
    const actions: Readonly<Record<string, () => Outputs>> = {
      'actions/checkout': () => {
        this.#clone(ref, workspace);
        return {};
      },
      'actions/setup-node': () => {
        if (existsSync(join(workspace, 'package-lock.json'))) return {};
        throw new Error('the action finds no package-lock.json to key its cache by');
      },
      'actions/cache': () => (existsSync(cached) ? copy(cached, copies) : {}),
      'actions/cache/restore': () => (existsSync(cached) ? copy(cached, copies) : {}),
      'actions/configure-pages': () => ({ base_url: this.#pagesUrl }),
      'actions/upload-pages-artifact': () => copy(join(workspace, given['path'] ?? ''), this.artifact('github-pages')),
      'actions/upload-artifact': () => {
        const path = resolve(workspace, given['path'] ?? '');
        return copy(path, statSync(path).isFile() ? join(this.artifact(name), basename(path)) : this.artifact(name));
      },
      'actions/download-artifact': () => {
        const to = given['path'] ?? workspace;
        if (name === 'github-pages')
          execFileSync('tar', [
            '--create',
            '--file',
            join(to, 'artifact.tar'),
            '--directory',
            this.artifact(name),
            '.',
          ]);
        else cpSync(this.artifact(name), to, { recursive: true });
        return {};
      },
      'actions/deploy-pages': () => {
        copy(this.artifact('github-pages'), this.live);
        writeFileSync(join(this.#shared, 'deployed'), '');
        return { page_url: this.#pagesUrl };
      },
    };
    const act = actions[action];
    if (act === undefined) throw new Error(`unknown action ${uses}`);
    return act();
  }

  /** The variables of every step. */
  get variables(): Readonly<Record<string, string>> {
    return {
      PATH: [this.#shared, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: this.#shared,
      CI: 'true',
      CALLS: join(this.#shared, 'calls'),
      PAGES_URL: `${this.#pagesUrl}/`,
      GITHUB_REPOSITORY: 'me/fairs',
      // The packages that the tests have installed already.
      npm_config_cache: join(process.env['HOME'] ?? '', '.npm'),
      npm_config_prefer_offline: 'true',
    };
  }
}

const constants = {
  'github.token': 'token',
  'github.repository': 'me/fairs',
  'github.server_url': 'https://github.example',
  'github.run_id': '7',
  'github.event_name': 'push',
};

type Outputs = Readonly<Record<string, string>>;

/** Where an action works. */
interface Place {
  readonly workspace: string;
  readonly temporary: string;
  readonly ref: string;
}

/** One job on a fresh machine. */
class Job {
  readonly contexts: Map<string, Value>;
  status = 'success';
  log = '';
  readonly #runner: LocalRunner;
  readonly #env: Readonly<Record<string, string>>;
  readonly #place: Place;
  readonly #files: Readonly<Record<string, string>>;
  readonly #time: number;

  constructor(
    runner: LocalRunner,
    { ref, time, payload = {} }: Event,
    contexts: Map<string, Value>,
    env: Readonly<Record<string, string>>,
  ) {
    this.#runner = runner;
    this.contexts = contexts;
    this.#env = env;
    this.#time = time;
    const temporary = writeTree(lastingFolder(), { output: '', summary: '', 'event.json': payload });
    const workspace = join(lastingFolder(), 'workspace');
    mkdirSync(workspace);
    contexts.set('runner.temp', temporary);
    this.#place = { workspace, temporary, ref };
    this.#files = {
      RUNNER_TEMP: temporary,
      GITHUB_OUTPUT: join(temporary, 'output'),
      GITHUB_STEP_SUMMARY: join(temporary, 'summary'),
      GITHUB_EVENT_PATH: join(temporary, 'event.json'),
    };
  }

  get summary(): string {
    return readFileSync(join(this.#place.temporary, 'summary'), 'utf8');
  }

  /** Removes the machine, whose packages take memory. */
  remove(): void {
    rmSync(this.#place.workspace, { recursive: true, force: true });
  }

  async run(steps: readonly Step[]): Promise<this> {
    for (const [name, value] of Object.entries(this.#env)) this.contexts.set(`env.${name}`, fill(value, this.contexts));
    for (const step of steps) {
      this.contexts.set('job.status', this.status);
      const isWanted = step.if === undefined || evaluate(step.if, this.contexts);
      const isReached = this.status === 'success' || step.if?.includes('always()') === true;
      if (isWanted && isReached) await this.#step(step);
    }
    return this;
  }

  async #step({ id = '', uses, run, with: given = {}, env = {} }: Step): Promise<void> {
    const filled = (values: object): Record<string, string> =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(String(value), this.contexts)]));
    let outputs: Outputs = {};
    if (uses !== undefined) outputs = this.#runner.act(uses, filled(given), this.#place);
    if (run !== undefined) {
      writeFileSync(this.#files['GITHUB_OUTPUT'] ?? '', '');
      const clock = { RUNNER_TIME: String(this.#time), ...frozenClock(this.#time * 1000) };
      const variables = { ...this.#runner.variables, ...this.#files, ...clock, ...filled(this.#env), ...filled(env) };
      const { code, output } = await runStep(this.#place.workspace, run, variables);
      this.log += output;
      if (code !== 0) this.status = 'failure';
      const lines = readFileSync(this.#files['GITHUB_OUTPUT'] ?? '', 'utf8')
        .trim()
        .split('\n');
      outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s))) as Outputs;
    }
    for (const [name, value] of Object.entries(outputs)) this.contexts.set(`steps.${id}.outputs.${name}`, value);
  }
}

/** Replaces the expressions in a value. */
function fill(text: string, contexts: ReadonlyMap<string, Value>): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => `${evaluate(expression, contexts)}`);
}

/** Evaluates an expression of a workflow, whose operators are those of JavaScript. */
function evaluate(expression: string, contexts: ReadonlyMap<string, Value>): Value {
  const code = expression.replace(/'[^']*'|\b[a-z]+(?:\.[\w-]+)+/g, (token) =>
    token.startsWith("'") ? token : `context(${JSON.stringify(token)})`,
  );
  const context = (name: string): Value => {
    const known = contexts.get(name);
    if (known !== undefined) return known;
    if (/^(?:inputs|secrets|vars)\./.test(name)) return '';
    throw new Error(`unknown context ${name}`);
  };
  return runInNewContext(code, { context, always: () => true }) as Value;
}
