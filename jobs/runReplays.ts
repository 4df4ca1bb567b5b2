import { workReplay } from '../src/webhooks/replay/workReplay.ts';

/** Takes the steps of all replays, in turns, until there are none; ends soon after `signal` says that the process stops. */
export async function runReplays(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await workReplay()));
}
