import { SvcConnectionError } from './SvcError.ts';

/**
 * What a body brings, until it ends or its reader breaks off, which ends the request. Throws `timeout` when nothing comes for
 * so long, `connection_failed` when it is cut off, and the reason of the signal.
 */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  idleSeconds: number,
  signal?: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    while (true) {
      const { done, value } = await within(idleSeconds, reader.read());
      if (done) return;
      yield value;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof SvcConnectionError) throw cause;
    throw new SvcConnectionError('connection_failed', 'The answer was cut off before its end.', { cause });
  } finally {
    // Not awaited: a connection that hangs may never say that it is closed.
    reader.cancel().catch(() => {});
  }
}

async function within<Value>(seconds: number, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new SvcConnectionError('timeout', `Nothing came for ${seconds} seconds.`));
    timer = setTimeout(refuse, seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
