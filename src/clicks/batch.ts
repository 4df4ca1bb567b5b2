/** `written`: the line outlives this process (with `sync` also a power cut). `dropped`: nobody will count it. */
export type AppendOutcome = 'written' | 'dropped';

/** Lines that go out in one write. They end alike, so they share one promise. */
export interface Batch {
  text: string;
  bytes: number;
  lines: number;
  outcome: Promise<AppendOutcome>;
  settle(outcome: AppendOutcome): void;
}

export function newBatch(): Batch {
  const { promise, resolve } = Promise.withResolvers<AppendOutcome>();
  return { text: '', bytes: 0, lines: 0, outcome: promise, settle: resolve };
}
