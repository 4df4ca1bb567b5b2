import { setImmediate as turn } from 'node:timers/promises';

interface Timer {
  callback: () => void;
  dueMs: number;
}

const { setTimeout, clearTimeout } = globalThis;

/**
 * Timers of clients, which go when they are told to. Only the SDK asks for timers by way of its host; fetch and the
 * tests' own waiting go on as ever.
 */
export class ManualTimers {
  private timers: Timer[] = [];
  private nowMs = 0;

  start(): void {
    const { timers } = this;
    const dueAt = (ms: number) => this.nowMs + ms;
    Object.assign(globalThis, {
      setTimeout(this: unknown, callback: () => void, ms = 0) {
        if (this !== globalThis) return setTimeout(callback, ms);
        const timer = { callback, dueMs: dueAt(ms) };
        timers.push(timer);
        return timer;
      },
      clearTimeout(timer: unknown) {
        const at = timers.indexOf(timer as Timer);
        if (at >= 0) timers.splice(at, 1);
        else clearTimeout(timer as NodeJS.Timeout);
      },
    });
  }

  stop(): void {
    this.timers = [];
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }

  async advance(seconds: number): Promise<void> {
    const endMs = this.nowMs + seconds * 1000;
    for (;;) {
      const [due] = this.timers.filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (!due) break;
      this.timers.splice(this.timers.indexOf(due), 1);
      this.nowMs = due.dueMs;
      due.callback();
      await turn();
    }
    this.nowMs = endMs;
    await turn();
  }

  /** In how many seconds timers go, the next one first. */
  get waits(): number[] {
    return this.timers.map(({ dueMs }) => (dueMs - this.nowMs) / 1000).sort((a, b) => a - b);
  }
}
