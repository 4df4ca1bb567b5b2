import { runReplayStep } from '../src/webhooks/runReplay.ts';

/** Takes the steps of all replays, one of each in turn, until there are none; ends soon after `signal` aborts. */
export async function replayEvents(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await runReplayStep()));
}
