import { storedUntil } from '../clicks/storedUntil.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { HOUR_MS } from './decide/Track.ts';
import { admitProjects, claimWatches, releaseWatches } from './trafficWatches.ts';
import { skipThinProjects, watchProject } from './watchProject.ts';

/** So long after an hour its clicks are in the store but for those of a process that is cut off, which is waited for. */
const SETTLED_MS = 5 * 60_000;

/**
 * Looks at the traffic of the projects whose last whole hour was not looked at, and tells of what is not as usual; ends soon
 * after `signal` says that the process stops. Several processes may do so at once.
 */
export async function watchTraffic(signal: AbortSignal): Promise<void> {
  if (!config.trafficWatch) return;
  const dueHour = Math.floor(Math.min(clock.now() - SETTLED_MS, await storedUntil()) / HOUR_MS);
  await admitProjects(dueHour);
  while (!signal.aborted) {
    const claimed = await claimWatches(dueHour);
    if (claimed.length === 0) return;
    const busy = await skipThinProjects(claimed, dueHour);
    for (const [at, watch] of busy.entries()) {
      if (signal.aborted) return releaseWatches(busy.slice(at));
      await watchProject(watch, dueHour).catch((error) =>
        log.warn({ err: error, projectId: watch.projectId }, 'the traffic of a project could not be looked at'),
      );
    }
  }
}
