import { OccasionalWarnings } from '../clicks/occasionalWarnings.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { slugFromPath } from '../routing/slug.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { Exchange } from './Exchange.ts';
import { type OrphanRow, OrphanTally } from './OrphanTally.ts';
import { orphanInserter } from './orphanInserter.ts';
import type { Place } from './places.ts';
import { visitOf } from './visitOf.ts';

export interface Orphans {
  /** Notes that somebody asked for a slug that no link has. Never fails and never waits. */
  note(exchange: Exchange, visitor: Visitor, place: Place, visitorHash: string): void;
  /** Writes what was noted. Can be called twice. */
  stop(): Promise<void>;
}

const WRITE_MS = 1000;
/** Rows in one statement: preparing more keeps the process from answering. */
const CHUNK = 500;
/** Rows that wait while the store is down; after that orphans are only counted. */
const WAITING = 10_000;

export function startOrphans(): Orphans {
  const tally = new OrphanTally({ perMinute: config.orphansPerMinute, waiting: WAITING });
  const insert = orphanInserter();
  const warnings = new OccasionalWarnings((message) => log.warn(message));

  const write = async () => {
    let rows: OrphanRow[];
    // What comes meanwhile waits for its second: a flood makes one row in each.
    do {
      rows = tally.take(CHUNK);
      try {
        await insert(rows);
      } catch (error) {
        tally.giveBack(rows);
        warnings.warn('store', `Requests for unknown slugs wait, the store does not take them: ${error}`);
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
    note({ domain, path }, visitor, place, visitorHash) {
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
