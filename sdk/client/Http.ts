import { OPERATIONS, type OperationId } from './operationTable.ts';
import { type Settings, type SvcOptions, settingsOf } from './options.ts';
import { pauseBefore } from './pauseBefore.ts';
import { type Ask, type BuiltRequest, buildRequest } from './request.ts';
import { SvcAnswer } from './SvcAnswer.ts';
import { connectionError, errorOf, SvcConnectionError, SvcError } from './SvcError.ts';
import { sleep } from './sleep.ts';

/** An operation by its id (`createLink`), or any path below the url. */
export type Target = OperationId | { method: string; path: string };

/** The one layer that sends requests; every method goes through `ask`. */
export class Http {
  /** Private, as it holds the key: whatever prints a client prints none. */
  readonly #settings: Settings;

  constructor(options: SvcOptions) {
    this.#settings = settingsOf(options);
  }

  get timeoutSeconds(): number {
    return this.#settings.timeoutSeconds;
  }

  /** Throws a `SvcError` for each status but 2xx, once the retries of `pauseBefore` are used up. */
  async ask(target: Target, ask: Ask = {}): Promise<SvcAnswer> {
    const request = await buildRequest(typeof target === 'string' ? operationOf(target) : target, ask);
    const retries = ask.retries ?? this.#settings.retries;
    for (let failures = 0; ; ) {
      ask.signal?.throwIfAborted();
      try {
        const answer = await this.#attempt(request, ask, failures + 1);
        ask.onAnswer?.(answer);
        return answer;
      } catch (error) {
        failures += 1;
        if (!(error instanceof SvcError)) throw error;
        const pauseMs = pauseBefore(error, request.method, failures, retries);
        if (pauseMs === null) throw error;
        await sleep(pauseMs, ask.signal);
      }
    }
  }

  async #attempt(request: BuiltRequest, ask: Ask, number: number): Promise<SvcAnswer> {
    const { method, path } = request;
    const begunAt = performance.now();
    const tell = (status: number, requestId: string | null, errorCode: string | null) =>
      this.#settings.onAttempt({
        method,
        path,
        status,
        milliseconds: Math.round(performance.now() - begunAt),
        requestId,
        number,
        errorCode,
      });
    try {
      const answer = await this.#send(request, ask);
      tell(answer.status, answer.requestId, null);
      return answer;
    } catch (error) {
      if (error instanceof SvcError) tell(error.status, error.requestId, error.code);
      throw error;
    }
  }

  /** One request, and its whole answer unless that is a stream. */
  async #send({ method, path, headers, body }: BuiltRequest, ask: Ask): Promise<SvcAnswer> {
    const { origin, fetch, headers: always } = this.#settings;
    const timeoutSeconds = ask.timeoutSeconds ?? this.#settings.timeoutSeconds;
    const controller = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, timeoutSeconds * 1000);
    const signal = ask.signal ? AbortSignal.any([ask.signal, controller.signal]) : controller.signal;
    try {
      // Where another place is referred to, the key is not sent there.
      const init = { method, headers: { ...always, ...headers }, redirect: 'manual', signal } as const;
      const response = await fetch(`${origin}${path}`, body === undefined ? init : { ...init, body });
      if (!response.ok) throw errorOf(response.status, response.headers, await response.text());
      if (ask.isStreamed) return new SvcAnswer(response, new Uint8Array(), response.body);
      return new SvcAnswer(response, new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      ask.signal?.throwIfAborted();
      if (error instanceof SvcError) throw error;
      if (!isLate) throw connectionError(error, origin);
      throw new SvcConnectionError('timeout', `${origin} did not answer within ${timeoutSeconds} seconds.`);
    } finally {
      clearTimeout(timer);
    }
  }
}

function operationOf(id: string): { method: string; path: string } {
  const operation = (OPERATIONS as Record<string, { method: string; path: string }>)[id];
  if (operation) return operation;
  throw new SvcError('invalid_options', `There is no operation ${id} in this version of the client.`);
}
