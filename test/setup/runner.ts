import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { frozenClock } from './clock.ts';
import { lastingFolder, writeTree } from './folders.ts';
import { runStep } from './steps.ts';
import { readWorkflowIn, type Job } from './workflows.ts';

/*
 * Runs whole workflows of a repository on this machine: the shell of every step with nothing but
 * the programs of a runner, and in place of the actions what they do. An action, a context or a
 * function that it does not know is an error.
 */

/** What happened, and what GitHub knows then. */
export interface Event {
  /** The commit to check out, or a branch. */
  readonly ref: string;
  /** The time of the machine, in seconds since the Unix epoch. */
  readonly time: number;
  /** Values of contexts, such as `github.run_number`. Missing inputs and secrets are empty. */
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

/**
 * `gh` records its calls, and knows the address of the pages. `date` takes the time of the event
 * for the clock. `npm` copies packages that it has installed before, because installing them takes
 * most of the time of a job.
 */
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
  npm: `#!/bin/bash
export PATH=\${PATH#*:}
[ "$1" = ci ] || exec npm "$@"
installed=$HOME/$(sha256sum < package-lock.json | cut -d ' ' -f 1)
if [ -e "$installed" ]; then exec cp -al "$installed" node_modules; fi
npm "$@" && cp -al node_modules "$installed"
`,
};

const constants = {
  'github.token': 'token',
  'github.repository': 'me/fairs',
  'github.server_url': 'https://github.example',
  'github.run_id': '7',
  'github.event_name': 'push',
};

type Texts = Readonly<Record<string, string>>;

export class LocalRunner {
  readonly #shared = lastingFolder();
  readonly #origin: string;
  readonly #live: string;
  readonly #pagesUrl: string;

  /**
   * @param origin a bare repository
   * @param live the folder that gets what is deployed
   * @param pagesUrl where this folder is served
   */
  constructor(origin: string, live: string, pagesUrl: string) {
    this.#origin = origin;
    this.#live = live;
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
      const isReady =
        isAlways || [job.needs ?? []].flat().every((needed) => run.results[needed] === 'success');
      if (!isReady || (job.if !== undefined && !evaluate(job.if, contexts))) {
        run.results[name] = 'skipped';
        continue;
      }
      const done = await this.#runJob(job, event, new Map(contexts));
      for (const [output, value] of Object.entries(job.outputs ?? {}))
        contexts.set(`needs.${name}.outputs.${output}`, fill(value, done.contexts));
      run.results[name] = done.isGood ? 'success' : 'failure';
      run.log += done.log;
      run.summary += done.summary;
    }
    return { ...run, calls: readFileSync(calls, 'utf8') };
  }

  /** Runs the steps of a job on a fresh machine until one fails. */
  async #runJob(
    { env = {}, steps = [] }: Job,
    { ref, time, payload = {} }: Event,
    contexts: Map<string, Value>,
  ) {
    const temporary = writeTree(lastingFolder(), { 'event.json': payload });
    const workspace = join(lastingFolder(), 'workspace');
    mkdirSync(workspace);
    contexts.set('runner.temp', temporary);
    const filled = (values: object): Texts =>
      Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, fill(String(value), contexts)]),
      );
    const ofJob = filled(env);
    for (const [name, value] of Object.entries(ofJob)) contexts.set(`env.${name}`, value);
    const ofMachine = { RUNNER_TEMP: temporary, GITHUB_EVENT_PATH: join(temporary, 'event.json') };
    const variables = { ...this.#variables(time), ...ofJob, ...ofMachine };
    let [log, summary, isGood] = ['', '', true];
    for (const { id = '', if: condition, uses, run, with: given = {}, env: ofStep = {} } of steps) {
      if (!isGood || (condition !== undefined && !evaluate(condition, contexts))) continue;
      let outputs: Texts = uses === undefined ? {} : this.#act(uses, filled(given), workspace, ref);
      if (run !== undefined) {
        const done = await runStep(workspace, run, { ...variables, ...filled(ofStep) });
        log += done.output;
        summary += done.summary;
        isGood = done.code === 0;
        outputs = readOutputs(done.outputs);
      }
      for (const [name, value] of Object.entries(outputs))
        contexts.set(`steps.${id}.outputs.${name}`, value);
    }
    // Its packages take memory.
    rmSync(workspace, { recursive: true, force: true });
    return { contexts, isGood, log, summary };
  }

  #clone(ref: string, to: string): string {
    execFileSync('git', ['clone', '--quiet', this.#origin, to]);
    execFileSync('git', ['checkout', '--quiet', ref], { cwd: to });
    return to;
  }

  /** Does what an action does. Returns its outputs. */
  #act(uses: string, given: Texts, workspace: string, ref: string): Texts {
    const [action = ''] = uses.split('@');
    const { name = '', path = '.' } = given;
    const copy = (from: string, to: string): Texts => {
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true });
      return {};
    };
    const actions: Readonly<Record<string, () => Texts>> = {
      'actions/checkout': () => {
        this.#clone(ref, workspace);
        return {};
      },
      'actions/setup-node': () => {
        if (existsSync(join(workspace, 'package-lock.json'))) return {};
        throw new Error('the action finds no package-lock.json to key its cache by');
      },
      'actions/cache': () => ({}),
      'actions/cache/restore': () => ({}),
      'actions/configure-pages': () => ({ base_url: this.#pagesUrl }),
      'actions/upload-pages-artifact': () =>
        copy(join(workspace, path), this.artifact('github-pages')),
      'actions/upload-artifact': () => {
        const from = resolve(workspace, path);
        return copy(
          from,
          statSync(from).isFile() ? join(this.artifact(name), basename(from)) : this.artifact(name),
        );
      },
      'actions/download-artifact': () => {
        const to = resolve(workspace, path);
        const from = this.artifact(name);
        if (name === 'github-pages')
          execFileSync('tar', ['-cf', join(to, 'artifact.tar'), '-C', from, '.']);
        else cpSync(from, to, { recursive: true });
        return {};
      },
      'actions/deploy-pages': () => {
        writeFileSync(join(this.#shared, 'deployed'), '');
        return copy(this.artifact('github-pages'), this.#live);
      },
    };
    const act = actions[action];
    if (act === undefined) throw new Error(`unknown action ${uses}`);
    return act();
  }

  /** The variables of every step. */
  #variables(time: number): Texts {
    return {
      PATH: [this.#shared, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
        ':',
      ),
      HOME: this.#shared,
      CI: 'true',
      CALLS: join(this.#shared, 'calls'),
      PAGES_URL: `${this.#pagesUrl}/`,
      GITHUB_REPOSITORY: 'me/fairs',
      RUNNER_TIME: String(time),
      ...frozenClock(time * 1000),
      // The packages that the tests have installed already.
      npm_config_cache: join(process.env['HOME'] ?? '', '.npm'),
      npm_config_prefer_offline: 'true',
    };
  }
}

/** Reads what steps write to GITHUB_OUTPUT: `name=value`, or several lines up to a delimiter. */
function readOutputs(text: string): Texts {
  const outputs = text.matchAll(/^(\w+)<<(\w+)\n([^]*?)^\2$|^(\w+)=(.*)$/gm);
  return Object.fromEntries(
    Array.from(outputs, ([, name, , lines = '', simple = '', value = '']) =>
      name === undefined ? [simple, value] : [name, lines.trimEnd()],
    ),
  );
}

/** Replaces the expressions in a value. */
function fill(text: string, contexts: ReadonlyMap<string, Value>): string {
  return text.replace(
    /\$\{\{(.*?)\}\}/g,
    (_, expression: string) => `${evaluate(expression, contexts)}`,
  );
}

/** Evaluates an expression of a workflow, whose operators are those of JavaScript. */
function evaluate(expression: string, contexts: ReadonlyMap<string, Value>): Value {
  const code = expression.replace(/'[^']*'|\b[a-z]+(?:\.[\w-]+)+/g, (token) =>
    token.startsWith("'") ? token : `context(${JSON.stringify(token)})`,
  );
  const context = (name: string): Value => {
    const known = contexts.get(name);
    if (known !== undefined) return known;
    if (/^(?:inputs|secrets|steps\.[\w-]+\.outputs|needs\.[\w-]+\.outputs)\./.test(name)) return '';
    throw new Error(`unknown context ${name}`);
  };
  return runInNewContext(code, { context, always: () => true }) as Value;
}
