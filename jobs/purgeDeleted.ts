import { isStoreDown } from '../src/db/storeFailures.ts';
import type { Owner } from '../src/deletion/ownedTables.ts';
import {
  beginProject,
  beginSweep,
  beginTeam,
  endProject,
  endTeam,
  projectsToPurge,
  projectsToSweep,
  purgesOfProject,
  purgesOfTeam,
  putOff,
  putOffSweep,
  teamsToPurge,
} from '../src/deletion/purgeDeleted.ts';
import { log } from '../src/kernel/log.ts';
import { type Purge, purgeInBatches } from './purgeInBatches.ts';

/** How often a project is gone through in one run, while rows of work in flight still arrive. */
const PASSES = 3;

interface Steps {
  /** Which have their turn. */
  list(): Promise<Owner[]>;
  /** Whether this one still has it: the purge of those before it may have taken an hour. */
  begin(owner: Owner): Promise<boolean>;
  purges(owner: Owner): Purge[];
  /** Ends the purge; false: something is left. */
  end(owner: Owner): Promise<boolean>;
  /** Lets others go first after a failure. */
  putOff(owner: Owner): Promise<void>;
}

/** In this order: a team goes when its projects are gone. */
const STEPS: Steps[] = [
  {
    list: projectsToPurge,
    begin: beginProject,
    purges: purgesOfProject,
    end: endProject,
    putOff: (project) => putOff('projects', project),
  },
  {
    list: teamsToPurge,
    begin: beginTeam,
    purges: purgesOfTeam,
    end: endTeam,
    putOff: (team) => putOff('teams', team),
  },
  {
    list: projectsToSweep,
    begin: beginSweep,
    purges: purgesOfProject,
    end: async ({ id }) => {
      await putOffSweep(id);
      return true;
    },
    putOff: (project) => putOff('purged_projects', project),
  },
];

/**
 * Deletes projects and teams for good whose time to be restored is over, in small batches. It can be killed at any point:
 * the row of the project or team goes last, and another run continues. Returns soon after `signal` aborts.
 */
export async function purgeDeleted(signal: AbortSignal): Promise<void> {
  for (const steps of STEPS) for (const owner of await steps.list()) await purgeOwner(owner, steps, signal);
}

/** A failure must not delay the others. */
async function purgeOwner(owner: Owner, { begin, purges, end, putOff }: Steps, signal: AbortSignal): Promise<void> {
  try {
    if (signal.aborted || !(await begin(owner))) return;
    for (let pass = 0; pass < PASSES; pass += 1) {
      for (const purge of purges(owner)) await purgeInBatches(purge, signal);
      if (signal.aborted || (await end(owner))) return;
    }
  } catch (error) {
    if (isStoreDown(error)) throw error;
    log.warn({ err: error, owner: owner.id }, 'cannot purge what was deleted; trying again in an hour');
    await putOff(owner);
  }
}
