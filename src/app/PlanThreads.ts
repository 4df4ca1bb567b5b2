import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { engineOf, Performer } from '../../sdk/code/engineOf.ts';
import { shareUsedUp, turnsOf } from '../access/shares.ts';
import { config } from '../kernel/config.ts';
import { showGauge } from '../kernel/metrics.ts';
import type { FromThread, ToThread } from './planWorker.ts';

/** How long a thread without work is kept: starting one takes a tenth of a second, and assistants plan several times. */
const IDLE_MS = 30_000;
/** The heap of a thread: documents of the largest size need a tenth of it. */
const MEMORY_MEGABYTES = 256;

type Planned = Awaited<ReturnType<ReturnType<typeof engineOf>['plan']>>;

/** Plans links as code in threads, so that no document holds up redirects. Threads start when they are needed. */
export class PlanThreads {
  readonly #server: () => string;
  readonly #turns = turnsOf('plans');
  readonly #idle: Thread[] = [];
  #threads = 0;

  constructor(server: () => string) {
    this.#server = server;
    showGauge('svc_plan_threads', 'Threads that plan links as code.', () => this.#threads);
  }

  /**
   * Plans a document; its operations are carried out in this thread by `performer`. Throws an error with the first `problems`
   * of a document that is not valid, or takes longer than PLAN_SECONDS; `rate_limited` where too many documents of the
   * team wait; and what an operation was refused with.
   */
  plan(
    document: string,
    { prune, adopt, teamId }: { prune: boolean; adopt: boolean; teamId: string },
    performer: Performer,
  ): Promise<Planned> {
    const planned = this.#turns(teamId, async () => {
      const thread = this.#nextIdle() ?? this.#start();
      const result = await thread.plan({ kind: 'plan', document, prune, adopt }, performer);
      // What a refused plan still had under way would ask on, with the rights of whose document comes next.
      if (result.kind === 'failed') thread.end();
      else if (thread.isAlive) this.#idle.push(thread.rest());
      return result;
    });
    if (!planned) throw shareUsedUp('plans', 'team');
    return planned.then(planOf);
  }

  /** Ends the threads without work; others end with theirs. */
  stop(): void {
    for (const thread of this.#idle) thread.end();
  }

  /** A thread that was told to end is among the idle ones until it has ended. */
  #nextIdle(): Thread | undefined {
    for (;;) {
      const thread = this.#idle.pop();
      if (!thread || thread.isAlive) return thread;
    }
  }

  #start(): Thread {
    this.#threads += 1;
    return new Thread(this.#server(), (thread) => {
      this.#threads -= 1;
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }
}

function planOf(result: Exclude<FromThread, { kind: 'ask' }>): Planned {
  if (result.kind === 'planned') return result.plan as Planned;
  if (result.kind === 'invalid') throw invalidDocument(result.problems, result.count);
  const { message, ...more } = result.error;
  throw Object.assign(new Error(message), more);
}

type Ended = Exclude<FromThread, { kind: 'ask' }>;

/** A thread, which plans one document at a time. */
class Thread {
  readonly #worker: Worker;
  #run: Run | null = null;
  #isAlive = true;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(server: string, onEnd: (thread: Thread) => void) {
    const url = new URL(`./planWorker${path.extname(import.meta.url)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MEGABYTES };
    this.#worker = new Worker(url, { workerData: { server }, execArgv: [], resourceLimits });
    // An idle thread keeps no process alive.
    this.#worker.unref();
    this.#worker.on('message', (said: FromThread) => this.#run?.hear(said));
    this.#worker.on('error', (error: Error & { code?: string }) => {
      this.#run?.fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error);
    });
    this.#worker.once('exit', () => {
      this.#isAlive = false;
      clearTimeout(this.#idleTimer);
      this.#run?.fail(tooMuch());
      onEnd(this);
    });
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
    void this.#worker.terminate();
  }

  plan(message: ToThread, performer: Performer): Promise<Ended> {
    clearTimeout(this.#idleTimer);
    return new Promise<Ended>((resolve, reject) => {
      const fail = (error: unknown) => {
        this.end();
        reject(error);
      };
      this.#run = new Run(performer, { say: (said) => this.#worker.postMessage(said), resolve, fail });
      this.#worker.postMessage(message);
    });
  }
}

interface Ways {
  say(message: ToThread): void;
  resolve(ended: Ended): void;
  fail(error: unknown): void;
}

/** One document in a thread. The time in which the thread waits for operations does not count: it works on nothing then. */
class Run {
  readonly #performer: Performer;
  readonly #ways: Ways;
  #leftMs = config.planSeconds * 1000;
  #operations = 0;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  /** From then on the thread may have another document, which the deadline of this one must not reach. */
  #isOver = false;

  constructor(performer: Performer, ways: Ways) {
    this.#performer = performer;
    this.#ways = ways;
    this.#count();
  }

  hear(said: FromThread): void {
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
