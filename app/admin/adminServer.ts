import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { log } from '../../src/kernel/log.ts';
import { VERSION } from '../../src/kernel/version.ts';
import {
  type AdminCommand,
  type AdminContext,
  Cancelled,
  type LentByProduct,
  worksOnOpenStore,
} from './commands/AdminCommand.ts';
import { ADMIN_COMMANDS, shownError } from './commands/table.ts';
import {
  type Call,
  type Frame,
  HANDSHAKE_MS,
  isCall,
  isCancel,
  LineTooLong,
  lineOf,
  MAX_CALL_BYTES,
  readLines,
} from './protocol.ts';
import { socketFileIn, withSocketPath } from './socketPath.ts';

/** Callers at a time; people call, and a script of theirs now and then. */
const MAX_CALLERS = 20;
/** How long a caller may take to read what is left when the product stops. */
const READ_MS = 1000;

interface AdminServer {
  /** Ends commands that can end early, and waits for all. */
  stop(): Promise<void>;
}

interface Options {
  lent: LentByProduct;
  /** The sentence for an error that the surroundings cause; null for others. */
  explain(error: unknown): string | null;
  commands?: readonly AdminCommand[];
}

/**
 * Runs commands of `npm run admin` in this process, for callers that reach the socket in DATA_DIR. Only the user of this process can:
 * the folder is private, and so is the socket from the moment when it is made, because of the umask that `guardDataDir` sets.
 * The caller of this function holds the lock of DATA_DIR: a socket that is there is that of a process that was killed. Where no
 * socket can be made, the product runs without.
 */
export async function serveAdmin(dataDir: string, options: Options): Promise<AdminServer> {
  const calls = new Set<Caller>();
  const server = createServer((socket) => {
    const caller = new Caller(socket, calls, options);
    calls.add(caller);
    void caller.served.finally(() => calls.delete(caller));
  });
  server.maxConnections = MAX_CALLERS;
  const file = socketFileIn(dataDir);
  try {
    if (file) await rm(file, { force: true });
    await withSocketPath(dataDir, (address) => listen(server, address));
    if (file) await chmod(file, 0o600);
  } catch (error) {
    log.warn({ err: error }, 'npm run admin cannot reach this process, because no socket can be made in DATA_DIR');
    server.close();
    return { stop: async () => {} };
  }
  server.on('error', (error) => log.warn({ err: error }, 'a caller of npm run admin could not be accepted'));
  return {
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...calls].map((caller) => caller.stop()));
      await closed;
      if (file) await rm(file, { force: true });
    },
  };
}

async function listen(server: Server, address: string): Promise<void> {
  server.listen(address);
  await once(server, 'listening');
}

/** One connection, and the command that runs for it. */
class Caller {
  /** Resolves when the command and the connection have ended. */
  readonly served: Promise<void>;
  readonly #socket: Socket;
  readonly #others: ReadonlySet<Caller>;
  readonly #options: Options;
  readonly #cancelling = new AbortController();
  #running: AdminCommand | null = null;
  #work: Promise<void> | null = null;

  constructor(socket: Socket, others: ReadonlySet<Caller>, options: Options) {
    this.#socket = socket;
    this.#others = others;
    this.#options = options;
    // What happens to the connection is seen where it is read and written.
    socket.on('error', () => {});
    this.served = this.#serve();
  }

  /** Ends the command early if it can, and then the connection. */
  async stop(): Promise<void> {
    this.#cancelling.abort(new Cancelled('The product is stopping.'));
    await this.#work;
    this.#socket.destroySoon();
    const timer = setTimeout(() => this.#socket.destroy(), READ_MS);
    await this.served;
    clearTimeout(timer);
  }

  async #serve(): Promise<void> {
    const silence = setTimeout(() => this.#socket.destroy(), HANDSHAKE_MS).unref();
    this.#socket.write(lineOf({ product: 'svc', version: VERSION, pid: process.pid }));
    try {
      // What is wrong with a line has to be said before the connection ends.
      const stream = this.#socket.setEncoding('utf8').iterator({ destroyOnReturn: false });
      for await (const line of readLines<unknown>(stream, MAX_CALL_BYTES)) {
        clearTimeout(silence);
        if (isCancel(line)) this.#cancelling.abort(new Cancelled('Cancelled.'));
        else if (isCall(line)) this.#work ??= this.#answer(line);
        else throw new SyntaxError();
      }
    } catch (error) {
      if (error instanceof LineTooLong) this.#end(`A call has at most ${MAX_CALL_BYTES} bytes.`);
      else if (error instanceof SyntaxError) this.#end('This is not a call of npm run admin.');
    }
    clearTimeout(silence);
    this.#cancelling.abort(new Cancelled('The caller is gone.'));
    await this.#work;
    this.#socket.destroySoon();
  }

  async #answer(call: Call): Promise<void> {
    const startedAt = performance.now();
    let error: string | null = null;
    try {
      await this.#run(call);
    } catch (thrown) {
      error = this.#options.explain(thrown) ?? (thrown as Error).message;
    }
    // Neither arguments nor output: they have passwords, keys and addresses of people.
    const fields = { command: this.#running?.name ?? null, isOk: error === null };
    log.info({ ...fields, milliseconds: Math.round(performance.now() - startedAt) }, 'an admin command ended');
    this.#running = null;
    this.#end(error);
  }

  async #run({ version, name, args, folder, given }: Call): Promise<void> {
    if (version !== VERSION) throw new Error(otherVersion({ version: VERSION, pid: process.pid }, version));
    const { commands = ADMIN_COMMANDS, lent } = this.#options;
    const command = commands.find((known) => known.name === name);
    if (!command || !worksOnOpenStore(command)) throw new Error(`A running product has no command ${name}.`);
    if (command.isLong && [...this.#others].some((other) => other.#running === command))
      throw new Error(`${name} is running already. Wait for its end.`);
    this.#running = command;
    const context: AdminContext = {
      folder,
      given,
      product: lent,
      signal: this.#cancelling.signal,
      print: (text) => this.#print(text),
      // A caller that does not read misses some of it, so that nothing piles up.
      showProgress: (line) => void (this.#socket.writableNeedDrain || this.#send({ progress: line })),
    };
    try {
      const text = await command.run(args, context);
      // Also after it was cancelled: it may be a key that is not shown again.
      if (text) this.#send({ print: text });
    } catch (error) {
      throw shownError(command, error);
    }
  }

  /** Waits for a caller that reads slowly, until the command is cancelled. */
  async #print(text: string): Promise<void> {
    const { signal } = this.#cancelling;
    signal.throwIfAborted();
    if (this.#send({ print: text })) return;
    await once(this.#socket, 'drain', { signal }).catch(() => signal.throwIfAborted());
  }

  #end(error: string | null): void {
    this.#send({ end: { error } });
    this.#socket.end();
  }

  #send(frame: Frame): boolean {
    return this.#socket.destroyed || this.#socket.write(lineOf(frame));
  }
}

/** What to say when caller and product are of different releases. */
export function otherVersion(product: { version: string; pid: number }, version: string): string {
  return `The running product (process ${product.pid}) is of version ${product.version}, and this command of ${version}. Restart the product, so that both are the same.`;
}
