import type { ServerResponse } from 'node:http';

/** How slowly a client may read. */
export interface Pace {
  bytesPerSecond: number;
  /** How far it may fall behind that rate. */
  slackMs: number;
  /** How often that is checked. */
  everyMs: number;
}

/**
 * Destroys the response when its client falls too far behind. Only time in which data waits for the client counts, so that
 * a slow store is not held against it. Returns what ends the watch.
 */
export function watchPace(response: ServerResponse, pace: Pace): () => void {
  let leftMs = pace.slackMs;
  let taken = takenBytes(response);
  const timer = setInterval(() => {
    const before = taken;
    taken = takenBytes(response);
    leftMs = slackLeft(pace, leftMs, { takenBytes: taken - before, isWaiting: response.writableLength > 0 });
    if (leftMs <= 0) response.destroy();
  }, pace.everyMs);
  return () => clearInterval(timer);
}

/** The slack after one more interval. Reading faster gains no more than was lost, so that a client cannot save up for a long pause. */
export function slackLeft(
  { bytesPerSecond, slackMs, everyMs }: Pace,
  leftMs: number,
  { takenBytes, isWaiting }: { takenBytes: number; isWaiting: boolean },
): number {
  const spentMs = isWaiting ? everyMs : 0;
  return Math.min(slackMs, leftMs - spentMs + (takenBytes / bytesPerSecond) * 1000);
}

/**
 * `bytesWritten` counts what waits in the process too. A piece that is being sent counts when all of it is taken, so pieces must
 * be small.
 */
function takenBytes({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}
