import { setImmediate as nextTurn } from 'node:timers/promises';

/** As a process is that was stopped by a signal: its thread does nothing, and what comes meanwhile waits in the sockets. */
export function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Stands still after `arrive`, which connects or writes. Due timers run next, before what arrived is read. */
export async function arriveInStandstill<Result>(
  milliseconds: number,
  arrive: () => Result,
): Promise<{ arrived: Result }> {
  await nextTurn();
  const arrived = arrive();
  // Sockets are connected in the queue of nextTick.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  standStill(milliseconds);
  return { arrived };
}
