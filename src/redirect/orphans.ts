import type { Place } from '../geo/geoip.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log, WarningThrottle } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { slugFromPath } from '../routing/slug.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { Exchange } from './answer.ts';
import { type OrphanRow, OrphanTally } from './OrphanTally.ts';
import { orphanInserter } from './orphanStore.ts';
import { visitOf } from './recordClick.ts';

export interface Orphans {
  /** Records a request for a slug that no link has. Never fails and never waits. */
  record(exchange: Exchange, visitor: Visitor, place: Place, visitorHash: string): void;
  /** Writes what has been recorded. Can be called twice. */
  stop(): Promise<void>;
}

const WRITE_MS = 1000;
/** Rows in one statement: preparing more would block the event loop for too long. */
const CHUNK = 500;
/** Rows that wait while the store is down; beyond this, orphans are only counted. */
const WAITING = 10_000;

export function startOrphans(): Orphans {
  const tally = new OrphanTally({ perMinute: config.orphansPerMinute, waiting: WAITING });
  const insert = orphanInserter();
  const warnings = new WarningThrottle((message) => log.warn(message));

  const write = async () => {
    let rows: OrphanRow[];
    // Rows added meanwhile wait for the next interval, so that a flood writes one counting row each second.
    do {
      rows = tally.take(CHUNK);
      try {
        await insert(rows);
      } catch (error) {
        tally.requeue(rows);
        warnings.warn('store', `Requests for unknown slugs wait, because the store does not accept them: ${error}`);
        return;
      }
    } while (rows.length === CHUNK);
  };
  const loop = startLoop(
    write,
    () => WRITE_MS,
    () => {},
  );
  let stopping: Promise<void> | undefined;
  return {
    record({ domain, path }, visitor, place, visitorHash) {
      if (domain.isDeleted) return;
      tally.add({
        projectId: domain.projectId,
        domain: domain.hostname,
        slug: slugFromPath(path),
        occurredAt: clock.now(),
        ...visitOf(visitor, place),
        visitor: visitorHash,
      });
    },
    stop() {
      stopping ??= loop.stop().then(write);
      return stopping;
    },
  };
}
