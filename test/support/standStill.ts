/** As a process is that was stopped by a signal: its thread does nothing, and what comes meanwhile waits in the sockets. */
export function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
