import { LRUCache } from 'lru-cache';
import { within } from '../kernel/deadline.ts';
import { StoreHangs } from '../kernel/storeSilence.ts';

interface Options<Value> {
  /** Bound of what is kept in memory; names of nothing have a tenth of it beside that. */
  max: number;
  /** Asks the store; null: there is no such thing. Throws when the store is down. */
  load(key: string): Promise<Value | null>;
  /** How long an answer is sure, in milliseconds. */
  ttlMs(found: Value | null): number;
  /** How long the store is waited for where memory has an answer, in milliseconds; 60 if nothing is said. */
  waitMs?: number;
}

interface Entry<Value> {
  found: Value;
  /** Milliseconds of the monotonic clock. */
  freshUntil: number;
}

interface Question<Value> {
  answer: Promise<Value | null>;
  /** Resolves when those wait no longer for whom memory has an answer. One timer for all. */
  patience: Promise<void>;
  isLate: boolean;
  /** Milliseconds of the monotonic clock. */
  startedAt: number;
  /** What is being read may be what it was before a change. */
  isOutdated: boolean;
}

/** How long a visitor waits for the store where memory has an answer; the contract says 100 in all. */
const REMEMBERED_WAIT_MS = 60;
/** And where it has none; the contract says 2 seconds in all. */
const UNKNOWN_WAIT_MS = 1700;
/** Questions that a store which hangs is asked at once: enough to notice that it is back, too few to fill its pool. */
const QUESTIONS_WHILE_HANGING = 4;

/** Names of nothing are remembered in a share of what there is room for. */
const NOTHING_SHARE = 0.1;

/**
 * Things of the store by name, in memory and bounded; names of nothing too, but apart: anybody can make up as many as they
 * like, and nothing that there is must be forgotten for them. While the store is down or hangs, what was
 * found goes on being answered, however old, and at once; a name that nothing was found by is asked for anew, so that an
 * outage is never told as "there is no such thing".
 */
export class Remembered<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  /** Names of nothing, with the moment until which that is sure, in milliseconds of the monotonic clock. */
  readonly #nothing: LRUCache<string, number>;
  readonly #asking = new Map<string, Question<Value>>();
  readonly #options: Options<Value>;
  #answeredAt = 0;
  #hangs = false;

  constructor(options: Options<Value>) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.max });
    this.#nothing = new LRUCache({ max: Math.ceil(options.max * NOTHING_SHARE) });
  }

  /** How many things are remembered. */
  get size(): number {
    return this.#entries.size;
  }

  /** What is remembered and still sure; undefined when the store must be asked by `find`. */
  peek(key: string): Value | null | undefined {
    const entry = this.#entries.get(key);
    if (entry) return performance.now() < entry.freshUntil ? entry.found : undefined;
    const freshUntil = this.#nothing.get(key);
    return freshUntil !== undefined && performance.now() < freshUntil ? null : undefined;
  }

  /** Throws when the store is down or hangs and memory does not know. */
  async find(key: string): Promise<Value | null> {
    const sure = this.peek(key);
    if (sure !== undefined) return sure;
    const remembered = this.#entries.get(key)?.found;
    return remembered ? this.#renew(key, remembered) : this.#learn(key);
  }

  /** It has changed. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.#nothing.delete(key);
    const question = this.#asking.get(key);
    if (question) question.isOutdated = true;
    this.#asking.delete(key);
  }

  /** All for which that holds have changed. Looks through everything. */
  forgetWhere(isMeant: (found: Value) => boolean): void {
    for (const question of this.#asking.values()) question.isOutdated = true;
    for (const [key, { found }] of this.#entries) if (isMeant(found)) this.#entries.delete(key);
  }

  /** Anything may have changed: names of nothing are forgotten, the rest is asked for again when it is next needed. */
  doubt(): void {
    for (const question of this.#asking.values()) question.isOutdated = true;
    this.#nothing.clear();
    for (const entry of this.#entries.values()) entry.freshUntil = 0;
  }

  /** The store's answer if it comes soon, else what is remembered; the answer is then taken note of when it comes. */
  async #renew(key: string, remembered: Value): Promise<Value | null> {
    const question = this.#ask(key);
    if (!question || question.isLate || this.#hangs) return remembered;
    return Promise.race([question.answer.catch(() => remembered), question.patience.then(() => remembered)]);
  }

  async #learn(key: string): Promise<Value | null> {
    const question = this.#ask(key);
    const left = question ? question.startedAt + UNKNOWN_WAIT_MS - performance.now() : 0;
    if (!question || left <= 0) throw new StoreHangs('the store does not answer');
    return within(question.answer, left, () => new StoreHangs(`the store did not answer for ${UNKNOWN_WAIT_MS} ms`));
  }

  /** A crowd that asks for one thing at once makes one question. Undefined: a store that hangs has been asked enough. */
  #ask(key: string): Question<Value> | undefined {
    const running = this.#asking.get(key);
    // Who asks after a change must not be told what was read before it.
    if (running && (!running.isOutdated || this.#hangs)) return running;
    if (this.#hangs && this.#asking.size >= QUESTIONS_WHILE_HANGING) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const { waitMs = REMEMBERED_WAIT_MS } = this.#options;
    const question: Question<Value> = {
      answer: this.#options.load(key),
      patience: new Promise((resolve) => {
        timer = setTimeout(() => {
          question.isLate = true;
          resolve();
          timer = setTimeout(() => this.#noteSilence(question), UNKNOWN_WAIT_MS - waitMs);
        }, waitMs);
      }),
      startedAt: performance.now(),
      isLate: false,
      isOutdated: false,
    };
    this.#asking.set(key, question);
    const end = () => {
      clearTimeout(timer);
      if (this.#asking.get(key) === question) this.#asking.delete(key);
    };
    question.answer.then((found) => {
      this.#hangs = false;
      this.#answeredAt = performance.now();
      if (!question.isOutdated) this.#keep(key, found);
      end();
    }, end);
    return question;
  }

  #keep(key: string, found: Value | null): void {
    const freshUntil = performance.now() + this.#options.ttlMs(found);
    if (found) {
      this.#entries.set(key, { found, freshUntil });
      this.#nothing.delete(key);
    } else {
      this.#nothing.set(key, freshUntil);
      this.#entries.delete(key);
    }
  }

  /** Where others have been answered since, this one is slow for a reason of its own. */
  #noteSilence(question: Question<Value>): void {
    if (this.#answeredAt < question.startedAt) this.#hangs = true;
  }
}
