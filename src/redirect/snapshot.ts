import { isListening } from '../db/connection/listen.ts';
import { isStoreDown } from '../db/storeFailures.ts';
import { clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { log, WarningThrottle } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { signals } from '../kernel/signals.ts';
import { ChangeStream } from './ChangeStream.ts';
import { FollowCounts, faded } from './FollowCounts.ts';
import { followChanges } from './followChanges.ts';
import { REPORTED_LINKS, readFollows, reportFollows } from './followStore.ts';
import { readCounts, readStart, snapshotFolder, streamsIn } from './readSnapshot.ts';
import { SnapshotTimes } from './SnapshotTimes.ts';
import { writeSnapshot } from './writeSnapshot.ts';

/** Bytes of changes beyond which a new snapshot is written early, and those beyond which the former one is given up. */
const LARGE_STREAM = 64 * 1024 * 1024;
const MAX_STREAM = 4 * LARGE_STREAM;

interface Parts {
  /** The name of the journal of this process, the same after a restart. */
  holder: string;
  /** The ids of the links in memory, the last followed ones first. */
  inMemory: () => string[];
}

interface KeptSnapshots {
  /** Counts a person who follows the link. */
  countFollow(linkId: string): void;
  stop(): Promise<void>;
}

/**
 * Keeps what a process that only serves links needs to start without the store: a snapshot, written now, from time to time and
 * at its end when something has changed, and a stream of the changes since. A snapshot is written early when announcements of
 * changes may have been lost.
 */
export async function keepSnapshots(config: Config, { holder, inMemory }: Parts): Promise<KeptSnapshots> {
  if (config.role !== 'redirect' || config.linkSnapshotEntries === 0)
    return { countFollow: () => {}, stop: async () => {} };
  const folder = snapshotFolder(config);
  const stream = new ChangeStream({
    folder,
    generation: (await lastGeneration(folder)) + 1,
    onWarning: (message) => log.warn(message),
    maxBytes: MAX_STREAM,
  });
  const counts = new FollowCounts(config.linkSnapshotEntries);
  const tell = tellWith(new WarningThrottle((message) => log.warn(message)));
  const times = new SnapshotTimes(config.linkSnapshotSeconds * 1000, isListening);
  const write = async () => {
    times.begin();
    await exchangeCounts(holder, counts).catch(tell);
    const isWritten = await writeSnapshot(config, stream, { counts, inMemory }).then(() => !stream.isGivenUp, tell);
    times.end(isWritten === true);
  };
  const seeding = seedCounts(folder, counts).catch(tell);
  const round = async () => {
    await seeding;
    if (times.inMs() === 0) await write();
  };
  const loop = startLoop(round, () => times.inMs(), tell);
  const hurry = () => {
    times.hurry();
    loop.wake();
  };
  const change = () => {
    if (stream.bytes > LARGE_STREAM || stream.isGivenUp) hurry();
    else if (times.change()) loop.wake();
  };
  const changes = followChanges(stream, hurry);
  const unsubscribe = [
    ...(['link', 'project', 'domain'] as const).map((topic) => signals.on(topic, change)),
    signals.onMissed(() => (isListening() ? hurry() : change())),
  ];
  return {
    countFollow: (linkId) => counts.count(linkId),
    async stop() {
      for (const end of unsubscribe) end();
      await loop.stop();
      if (times.hasChanged) await write();
      await changes.stop();
      await stream.close();
    },
  };
}

/** Everything else says already that the store is away. */
function tellWith(warnings: WarningThrottle): (error: unknown) => void {
  return (error) => {
    if (isStoreDown(error)) log.debug({ err: error }, 'the snapshot of links waits for the store');
    else warnings.warn('failing', `The snapshot of links cannot be written: ${(error as Error).message}`);
  };
}

async function lastGeneration(folder: string): Promise<number> {
  const start = await readStart(folder).catch(() => null);
  return Math.max(0, start?.generation ?? 0, ...(await streamsIn(folder)));
}

/** Takes over the counts of the process that wrote the snapshot, as they are worth now. */
async function seedCounts(folder: string, counts: FollowCounts): Promise<void> {
  const start = await readStart(folder);
  if (!start) return;
  const ageMs = clock.now() - Date.parse(start.at);
  for await (const [linkId, follows] of readCounts(folder)) counts.add(linkId, faded(follows, ageMs));
}

/** Tells other processes what was followed most through this one, and hears what was through them. */
async function exchangeCounts(holder: string, counts: FollowCounts): Promise<void> {
  const { own, elsewhere } = await readFollows(holder);
  // Its disk is gone.
  if (counts.isEmpty) for (const [linkId, follows] of own) counts.add(linkId, follows);
  counts.setElsewhere(elsewhere);
  if (!counts.isEmpty) await reportFollows(holder, await counts.top(REPORTED_LINKS));
}
