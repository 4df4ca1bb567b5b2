import { Worker } from 'node:worker_threads';
import { type Answered, type Asked, DocumentError, engineOf, type Performer } from '../sdk/code/engineOf.ts';
import { CODE_SCHEMA } from '../sdk/code/schema.ts';

/** What the process is asked: to plan a document, or the answer of an operation that it asked for. */
export type ToProcess =
  | { kind: 'plan'; document: string; prune: boolean; adopt: boolean }
  | { kind: 'answered'; id: number; answered: Answered };

/** What the process says: an operation that it needs, and at the end a plan, what is wrong with the document, or an error. */
export type FromProcess =
  | { kind: 'ask'; id: number; operation: string; asked: Asked }
  | { kind: 'planned'; plan: unknown }
  | { kind: 'invalid'; problems: { path: string; message: string }[]; count: number }
  | { kind: 'failed'; error: { message: string; code?: string; fields?: unknown; retryAfterSeconds?: number } };

/** More problems than an answer shows would only travel between processes. */
const MAX_PROBLEMS = 20;
/** How often it looks whether the product is still there. */
const WATCH_MS = 1000;

/** Plans documents in a process of its own: nobody can tell beforehand for how long a text keeps the reader of YAML busy. */
function run(): void {
  if (!process.send) throw new Error('Runs as a process of the product only');
  endWithParent();
  const say = (message: FromProcess) => process.send?.(message);
  const waiting = new Map<number, (answered: Answered) => void>();
  let lastId = 0;
  const performer: Performer = {
    perform: (operation, asked) =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        say({ kind: 'ask', id: lastId, operation, asked });
      }),
  };
  const [server = ''] = process.argv.slice(2);
  const engine = engineOf(CODE_SCHEMA, () => server);
  process.on('message', async (message: ToProcess) => {
    if (message.kind === 'answered') {
      waiting.get(message.id)?.(message.answered);
      waiting.delete(message.id);
      return;
    }
    try {
      const { document, prune, adopt } = message;
      say({ kind: 'planned', plan: await engine.plan(document, { prune, adopt }, performer) });
    } catch (error) {
      if (error instanceof DocumentError) {
        const { problems } = error;
        say({ kind: 'invalid', problems: problems.slice(0, MAX_PROBLEMS), count: problems.length });
        return;
      }
      const { message: text, code, fields, retryAfterSeconds } = error as Error & Record<string, never>;
      say({ kind: 'failed', error: { message: text, code, fields, retryAfterSeconds } });
    }
  });
  process.send({ kind: 'ready' });
}

/** Ends when the product has been killed, also in the middle of a document: only the product knows its deadline. */
function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  // A terminal and systemd send them to all processes of the product, which lets work in hand end first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const watch = `const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, ${WATCH_MS});`;
  new Worker(watch, { eval: true, execArgv: [] }).unref();
}

run();
