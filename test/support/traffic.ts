import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from './atEnd.ts';

const TICK_MS = 25;
/** A machine that cannot keep up would never have answered all. */
const MOST_PENDING = 300;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface Traffic {
  /** Answers so far by status; 0 stands for none at all. */
  answers: Map<number, number>;
  /** The longest wait for an answer. */
  longestMs(): number;
  /** Resolves when whatever was asked has been answered. */
  stop(): Promise<void>;
}

/** People who follow these links in turn, so many times a second, however slow the answers are; but not more than 300 at once. */
export function startTraffic(origin: string, slugs: readonly string[], perSecond: number, host?: string): Traffic {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'User-Agent': AGENT, ...(host === undefined ? {} : { Host: host }) };
  const answers = new Map<number, number>();
  const startedAt = performance.now();
  let asked = 0;
  let passedBy = 0;
  let pending = 0;
  let longestMs = 0;
  const ask = () => {
    const askedAt = performance.now();
    pending += 1;
    const note = (status: number) => {
      pending -= 1;
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    };
    const url = `${origin}/${slugs[asked % slugs.length]}`;
    const request = get(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () => note(response.statusCode ?? 0));
    });
    request.once('error', () => note(0));
    asked += 1;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (asked + passedBy < due) {
      if (pending < MOST_PENDING) ask();
      else passedBy += 1;
    }
  }, TICK_MS);
  const stop = async () => {
    clearInterval(timer);
    while (pending > 0) await delay(10);
    agent.destroy();
  };
  // After a test that failed before it stopped them.
  atEnd(stop);
  return { answers, longestMs: () => longestMs, stop };
}
