import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { engineOf, Performer } from '../sdk/code/engineOf.ts';
import { shareUsedUp, turnsOf } from '../src/access/shares.ts';
import { config } from '../src/kernel/config.ts';
import { showGauge } from '../src/kernel/metrics.ts';
import type { FromProcess, ToProcess } from './planProcess.ts';

/** How long a process without work is kept: starting one takes a tenth of a second, and assistants plan several times. */
const IDLE_MS = 30_000;
/** The heap of a process: documents of the largest size need a tenth of it. */
const MEMORY_MEGABYTES = 256;

type Planned = Awaited<ReturnType<ReturnType<typeof engineOf>['plan']>>;

/**
 * Plans links as code in processes of their own, which start when they are needed, so that no document holds up redirects. The
 * limit of a thread's memory is not enough: one large answer of an operation beyond it ends the whole process.
 */
export class PlanProcesses {
  readonly #server: () => string;
  readonly #turns = turnsOf('plans');
  readonly #idle: PlanProcess[] = [];
  #processes = 0;

  constructor(server: () => string) {
    this.#server = server;
    showGauge('svc_plan_processes', 'Processes that plan links as code.', () => this.#processes);
  }

  /**
   * Plans a document; its operations are carried out in this process by `performer`. Throws an error with the first `problems`
   * of a document that is not valid, or takes longer than PLAN_SECONDS; `rate_limited` where too many documents of the
   * team wait; and what an operation was refused with.
   */
  plan(
    document: string,
    { prune, adopt, teamId }: { prune: boolean; adopt: boolean; teamId: string },
    performer: Performer,
  ): Promise<Planned> {
    const planned = this.#turns(teamId, async () => {
      const child = this.#nextIdle() ?? this.#start();
      const result = await child.plan({ kind: 'plan', document, prune, adopt }, performer);
      // What a refused plan still had under way would ask on, with the rights of the team whose document comes next.
      if (result.kind === 'failed') child.end();
      else if (child.isAlive) this.#idle.push(child.rest());
      return result;
    });
    if (!planned) throw shareUsedUp('plans', 'team');
    return planned.then(planOf);
  }

  /** Ends the processes without work; others end with theirs. */
  stop(): void {
    for (const child of this.#idle) child.end();
  }

  /** One that was told to end is among the idle ones until it has ended. */
  #nextIdle(): PlanProcess | undefined {
    for (;;) {
      const child = this.#idle.pop();
      if (!child || child.isAlive) return child;
    }
  }

  #start(): PlanProcess {
    this.#processes += 1;
    return new PlanProcess(this.#server(), (child) => {
      this.#processes -= 1;
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }
}

function planOf(result: Exclude<FromProcess, { kind: 'ask' }>): Planned {
  if (result.kind === 'planned') return result.plan as Planned;
  if (result.kind === 'invalid') throw invalidDocument(result.problems, result.count);
  const { message, ...more } = result.error;
  throw Object.assign(new Error(message), more);
}

type Ended = Exclude<FromProcess, { kind: 'ask' }>;

/** A process, which plans one document at a time. */
class PlanProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #run: Run | null = null;
  #isAlive = true;
  #hasEnded = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(server: string, onEnd: (child: PlanProcess) => void) {
    const file = new URL(`./planProcess${path.extname(import.meta.url)}`, import.meta.url);
    this.#child = fork(fileURLToPath(file), [server], {
      execArgv: [`--max-old-space-size=${MEMORY_MEGABYTES}`],
      // Nothing of the product's environment, which has its secrets.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // While it is idle it keeps nobody alive.
    this.#child.unref();
    this.#child.channel?.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    this.#child.on('message', (said: FromProcess | { kind: 'ready' }) => {
      if (said.kind === 'ready') resolve();
      else this.#run?.hear(said);
    });
    const ended = (error: unknown) => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      this.#isAlive = false;
      clearTimeout(this.#idleTimer);
      this.#run?.fail(error);
      onEnd(this);
    };
    // It could not be started.
    this.#child.once('error', ended);
    this.#child.once('exit', () => ended(tooMuch()));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Waits for the next document, or ends. */
  rest(): this {
    this.#run = null;
    this.#idleTimer = setTimeout(() => this.end(), IDLE_MS).unref();
    return this;
  }

  end(): void {
    this.#isAlive = false;
    this.#child.kill('SIGKILL');
  }

  plan(message: ToProcess, performer: Performer): Promise<Ended> {
    clearTimeout(this.#idleTimer);
    return new Promise<Ended>((resolve, reject) => {
      const fail = (error: unknown) => {
        this.end();
        reject(error);
      };
      const run = new Run(performer, { say: (said) => this.#say(said), resolve, fail });
      this.#run = run;
      // The start of the process does not count as work on the document.
      void this.#ready.then(() => {
        run.begin();
        this.#say(message);
      });
    });
  }

  /** One that has ended reads nothing; its end is told by `exit`. */
  #say(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

interface Ways {
  say(message: ToProcess): void;
  resolve(ended: Ended): void;
  fail(error: unknown): void;
}

/** One document in a process. The time in which the process waits for operations does not count: it works on nothing then. */
class Run {
  readonly #performer: Performer;
  readonly #ways: Ways;
  #leftMs = config.planSeconds * 1000;
  #operations = 0;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = performance.now();
  /** From then on the process may have another document, which the deadline of this one must not reach. */
  #isOver = false;

  constructor(performer: Performer, ways: Ways) {
    this.#performer = performer;
    this.#ways = ways;
  }

  /** Starts the deadline. */
  begin(): void {
    this.#count();
  }

  hear(said: FromProcess): void {
    if (said.kind !== 'ask') {
      this.#end();
      this.#ways.resolve(said);
      return;
    }
    if (this.#operations === 0) this.#pause();
    this.#operations += 1;
    const { id, operation, asked } = said;
    this.#performer.perform(operation, asked).then(
      (answered) => {
        if (this.#isOver) return;
        this.#operations -= 1;
        if (this.#operations === 0) this.#count();
        this.#ways.say({ kind: 'answered', id, answered });
      },
      (error) => this.fail(error),
    );
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#ways.fail(error);
  }

  #end(): void {
    this.#pause();
    this.#isOver = true;
  }

  #count(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.fail(tooMuch()), this.#leftMs);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#startedAt;
  }
}

function invalidDocument(problems: readonly { path: string; message: string }[], count = problems.length): Error {
  const more = count > problems.length ? ` It has ${count} problems; the first ${problems.length} are listed.` : '';
  return Object.assign(new Error(`The document is not valid.${more}`), { problems });
}

function tooMuch(): Error {
  const message = `Reading and comparing it takes more than ${config.planSeconds} seconds, or more memory than there is for it. Split it into several stacks, or use svc plan.`;
  return invalidDocument([{ path: 'document', message }]);
}
