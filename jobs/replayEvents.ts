import { runReplayStep } from '../src/webhooks/runReplay.ts';

/** Runs the steps of all replays in turn until none is left; returns soon after `signal` aborts. */
export async function replayEvents(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await runReplayStep()));
}
