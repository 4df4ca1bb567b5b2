import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { withTimeout } from '../../src/kernel/deadline.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { otherVersion } from './adminServer.ts';
import { type Call, type Frame, HANDSHAKE_MS, type Hello, lineOf, MAX_CALL_BYTES, readLines } from './protocol.ts';
import { withSocketPath } from './socketPath.ts';

/** Where the output of a command goes. */
export interface Output {
  print(text: string): void;
  showProgress(line: string): void;
}

/** A connection to the product that runs on a DATA_DIR. */
export interface RunningProduct {
  pid: number;
  /** Runs a command there. Throws what the command throws, as an error with its message. */
  run(call: Omit<Call, 'version'>, output: Output): Promise<void>;
  /** Asks the command to end early; the end of `run` says whether it did. */
  cancel(): void;
  close(): void;
}

/**
 * Connects to the product that runs on this DATA_DIR; null where none listens. Throws, with a sentence that says what to do, when
 * it does not answer or is not this user's.
 */
export async function findRunningProduct(dataDir: string, handshakeMs = HANDSHAKE_MS): Promise<RunningProduct | null> {
  const socket = await withSocketPath(dataDir, open).catch((error) => throwUnlessNobody(error, dataDir));
  if (!socket) return null;
  socket.on('error', () => {});
  const lines = readLines<Hello | Frame>(socket.setEncoding('utf8'));
  try {
    const hangs = () => new Error(hangingSentence(dataDir, handshakeMs));
    const { value: hello, done } = await withTimeout(lines.next(), handshakeMs, hangs);
    if (done) throw new Error('The running product takes no more commands: it is stopping, or others run too many.');
    return { ...talk(socket, lines as AsyncGenerator<Frame>, hello as Hello), close: () => socket.destroy() };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function open(address: string): Promise<Socket> {
  const socket = connect(address);
  await once(socket, 'connect');
  return socket;
}

/** A socket that was never made, or whose process was killed. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENOTSOCK'];

function throwUnlessNobody(error: NodeJS.ErrnoException, dataDir: string): null {
  if (NOBODY.includes(error.code ?? '')) return null;
  if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
  throw new Error(`This user may not enter DATA_DIR ${path.resolve(dataDir)}. Run this as the user of the product.`);
}

function hangingSentence(dataDir: string, handshakeMs: number): string {
  return `The product that runs on DATA_DIR ${path.resolve(dataDir)} did not answer within ${handshakeMs / 1000} seconds: it hangs, or is very busy. Nothing was done. Try again, or restart it.`;
}

function talk(socket: Socket, frames: AsyncGenerator<Frame>, { version, pid }: Hello): Omit<RunningProduct, 'close'> {
  return {
    pid,
    async run(call, output) {
      if (version !== VERSION) throw new Error(otherVersion({ version, pid }, VERSION));
      const line = lineOf({ version, ...call });
      if (Buffer.byteLength(line) > MAX_CALL_BYTES) throw new Error('The arguments are too long.');
      socket.write(line);
      const end = await readToEnd(frames, output);
      if (!end)
        throw new Error(`The product ended before ${call.name} did. What ${call.name} did stays; run it again.`);
      if (end.error !== null) throw new Error(end.error);
    },
    cancel: () => void socket.write(lineOf({ cancel: true })),
  };
}

async function readToEnd(
  frames: AsyncGenerator<Frame>,
  { print, showProgress }: Output,
): Promise<{ error: string | null } | null> {
  try {
    for await (const frame of frames) {
      if ('end' in frame) return frame.end;
      if ('print' in frame) print(frame.print);
      else showProgress(frame.progress);
    }
  } catch (error) {
    // The connection broke.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return null;
}
