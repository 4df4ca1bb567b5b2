import type { AppOpen, RecordOpen } from './api.ts';
import { callApp } from './callApp.ts';
import { camelCased } from './camelCased.ts';
import type { LinkListeners } from './LinkListeners.ts';
import { openingOf } from './openingOf.ts';
import { isPassing, type Pace } from './Pace.ts';
import type { Store } from './Store.ts';
import { SvcError } from './SvcError.ts';
import type { Answer, Post } from './transport.ts';
import type { OpenResult, SvcClient } from './types.ts';

const KEY = 'open';
const ANSWERED = 'answered';

interface Parts {
  post: Post;
  store: Store;
  pace: Pace;
  listeners: LinkListeners;
  /** What every opening tells. */
  facts: () => Promise<Omit<RecordOpen, 'first_open'>>;
  tell: (error: SvcError) => void;
}

/**
 * Tells of openings. The first one counts until its answer is written down: the storage holds nothing, then what the
 * first opening told (JSON), then `answered`.
 */
export class Opens {
  private state: string | null | undefined;
  private hasGivenUp = false;
  private line: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  handle(url: string | null | undefined, given: Parameters<SvcClient['handleOpen']>[1]): Promise<OpenResult> {
    const { listeners, tell } = this.parts;
    return this.inOrder(async () => {
      const state = await this.load();
      const isFirst = state !== ANSWERED;
      // Reading the clipboard may have the system ask: once is enough.
      const details = typeof given === 'function' ? !state && (await callApp(given, tell)) : given;
      const opening = { ...(isFirst && parsed(state)), ...openingOf(url, (isFirst && details) || {}) };
      if (isFirst) await this.save(JSON.stringify(opening));
      const result = await this.send(opening, isFirst);
      return (!result.link && listeners.takeUnheard()) || result;
    });
  }

  /** Tells of a first opening that was not answered; gives whether other things may be sent now. */
  settle(): Promise<boolean> {
    return this.inOrder(async () => {
      const state = await this.load();
      if (!state || state === ANSWERED || this.hasGivenUp) return true;
      this.parts.listeners.keep(await this.send(parsed(state), true));
      return this.state === ANSWERED || this.hasGivenUp;
    });
  }

  /** The next opening is the first one again. `others`: what else is to be forgotten before it. */
  forget(others: () => Promise<unknown>): Promise<void> {
    return this.inOrder(async () => {
      this.parts.listeners.takeUnheard();
      this.hasGivenUp = false;
      await this.save(null);
      await others();
    });
  }

  private inOrder<Result>(job: () => Promise<Result>): Promise<Result> {
    const turn = this.line.then(job);
    this.line = turn.catch(() => {});
    return turn;
  }

  private async load(): Promise<string | null> {
    if (this.state === undefined) this.state = (await this.parts.store.read(KEY)) ?? null;
    return this.state;
  }

  private async save(state: string | null): Promise<void> {
    this.state = state;
    await this.parts.store.write(KEY, state);
  }

  private async send(opening: object, isFirst: boolean): Promise<OpenResult> {
    const { pace, listeners } = this.parts;
    if (pace.stopped) return without(pace.stopped);
    try {
      const { data, retryAfterSeconds } = await this.ask({ ...opening, first_open: isFirst });
      if (data.match.factors.some(({ name }) => name === 'rate_limited')) {
        pace.failed(new SvcError('rate_limited', 'Too many requests.', { status: 429, retryAfterSeconds }));
      } else {
        pace.succeeded();
        if (isFirst) await this.save(ANSWERED);
      }
      const result = camelCased(data);
      listeners.say(result);
      return result;
    } catch (thrown) {
      const error = thrown as SvcError;
      this.hasGivenUp = !isPassing(error);
      pace.failed(error);
      return without(error.code);
    }
  }

  /** A refused request is sent once more without the fields that were refused. */
  private async ask(opening: object): Promise<Answer<AppOpen>> {
    const { post, facts, tell } = this.parts;
    const body: Record<string, unknown> = { ...(await facts()), ...opening };
    const send = () => post<AppOpen>('/open', JSON.stringify(body), 'match');
    try {
      return await send();
    } catch (thrown) {
      const error = thrown as SvcError;
      if (error.fields.length === 0) throw error;
      tell(error);
      for (const { path } of error.fields) delete body[path.split('.')[0] as string];
      return send();
    }
  }
}

function parsed(state: string | null): object {
  try {
    return JSON.parse(state || '{}');
  } catch {
    return {};
  }
}

function without(why: string): OpenResult {
  const match = {
    ...{ matched: false, method: 'none' as const, confidence: 0, score: null },
    ...{ guaranteed: false, clickedAt: null },
  };
  return { openId: null, match: { ...match, factors: [{ name: why, points: 0 }] }, link: null };
}
