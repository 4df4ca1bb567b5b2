import { parentPort, workerData } from 'node:worker_threads';
import { type Answered, type Asked, DocumentError, engineOf, type Performer } from '../../sdk/code/engineOf.ts';
import { CODE_SCHEMA } from '../../sdk/code/schema.ts';

/** What the thread is asked: to plan a document, or the answer of an operation that it asked for. */
export type ToThread =
  | { kind: 'plan'; document: string; prune: boolean; adopt: boolean }
  | { kind: 'answered'; id: number; answered: Answered };

/** What the thread says: an operation that it needs, and at the end a plan, what is wrong with the document, or an error. */
export type FromThread =
  | { kind: 'ask'; id: number; operation: string; asked: Asked }
  | { kind: 'planned'; plan: unknown }
  | { kind: 'invalid'; problems: { path: string; message: string }[]; count: number }
  | { kind: 'failed'; error: { message: string; code?: string; fields?: unknown; retryAfterSeconds?: number } };

/** More problems than an answer shows would only travel between threads. */
const MAX_PROBLEMS = 20;

/** Plans documents in a thread of its own: nobody can tell beforehand for how long a text keeps the reader of YAML busy. */
function run(): void {
  if (!parentPort) throw new Error('Runs as a worker thread only');
  const port = parentPort;
  const say = (message: FromThread) => port.postMessage(message);
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
  const engine = engineOf(CODE_SCHEMA, () => workerData.server);
  port.on('message', async (message: ToThread) => {
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
}

run();
