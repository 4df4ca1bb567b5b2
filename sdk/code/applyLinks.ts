import type { Run } from './apply.ts';
import type { Action, Fields } from './types.ts';

/** As many as a bulk call takes. */
const BATCH = 1000;
/** Hashing passwords takes long, so that a bulk call takes only so many. */
const MAX_PASSWORDS = 20;
/** PATCH requests at a time. */
const LANES = 4;

/** Creates and changes links, a thousand in a call; those that get another external id are given it first. */
export async function applyLinks(run: Run): Promise<void> {
  const actions = run.of('link', 'create', 'change', 'adopt', 'move');
  const renamed = actions.filter(({ renames }) => renames);
  const missed = await rename(run, renamed);
  // A rehearsal keeps no new names, so that it has tried these links as a whole.
  const rest = actions.filter((action) => !missed.has(action) && !(run.options.dryRun && renamed.includes(action)));
  const waves = Map.groupBy(rest, ({ wave }) => wave);
  for (const wave of [...waves.keys()].sort((a, b) => a - b)) {
    for (const batch of batchesOf(waves.get(wave) ?? [])) {
      await run.many(batch, async () =>
        run.api.putLinks(await Promise.all(batch.map((action) => rowOf(run, action))), run.rehearsal),
      );
    }
  }
}

/** Returns the actions that failed; they must not be sent by an external id that nobody has: that would create links. */
async function rename(run: Run, actions: Action[]): Promise<Set<Action>> {
  const missed = new Set<Action>();
  const queue = [...actions];
  const lane = async () => {
    for (let action = queue.shift(); action; action = queue.shift()) await renameOne(run, action, missed);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return missed;
}

async function renameOne(run: Run, action: Action, missed: Set<Action>): Promise<void> {
  const { external_id, managed_by } = action.set;
  const body = run.options.dryRun ? await rowOf(run, action) : { external_id, managed_by };
  const failedBefore = run.result.failed.length;
  await run.one(action, () => run.api.update('link', action.id as string, body, run.rehearsal));
  if (run.result.failed.length > failedBefore) missed.add(action);
  // It is counted once the whole link is written.
  else if (!run.options.dryRun) run.result.done -= 1;
}

async function rowOf(run: Run, { set, password }: Action): Promise<Fields> {
  return password ? { ...set, password: await run.options.resolveSecret(password) } : set;
}

function* batchesOf(actions: Action[]): Generator<Action[]> {
  let batch: Action[] = [];
  let passwords = 0;
  for (const action of actions) {
    if (batch.length === BATCH || (action.password && passwords === MAX_PASSWORDS)) {
      yield batch;
      [batch, passwords] = [[], 0];
    }
    batch.push(action);
    if (action.password) passwords += 1;
  }
  if (batch.length > 0) yield batch;
}
