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
  const passwords = await readPasswords(run);
  const actions = run
    .of('link', 'create', 'change', 'adopt', 'move')
    .filter((action) => passwords.get(action) !== null);
  const renamed = actions.filter(({ renames }) => renames);
  const missed = await rename(run, renamed, passwords);
  // A rehearsal keeps no new names, so that it has tried these links as a whole.
  const rest = actions.filter((action) => !missed.has(action) && !(run.options.dryRun && renamed.includes(action)));
  const waves = Map.groupBy(rest, ({ wave }) => wave);
  for (const wave of [...waves.keys()].sort((a, b) => a - b)) {
    for (const batch of batchesOf(waves.get(wave) ?? [])) {
      await run.many(batch, () =>
        run.api.putLinks(
          batch.map((action) => rowOf(action, passwords)),
          run.rehearsal,
        ),
      );
    }
  }
}

/** Returns the actions that failed; they must not be sent by an external id that nobody has: that would create links. */
async function rename(run: Run, actions: Action[], passwords: Passwords): Promise<Set<Action>> {
  const missed = new Set<Action>();
  const queue = [...actions];
  const lane = async () => {
    for (let action = queue.shift(); action; action = queue.shift()) await renameOne(run, action, passwords, missed);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return missed;
}

async function renameOne(run: Run, action: Action, passwords: Passwords, missed: Set<Action>): Promise<void> {
  const { external_id, managed_by } = action.set;
  const body = run.options.dryRun ? rowOf(action, passwords) : { external_id, managed_by };
  const act = () => run.api.update('link', action.id as string, body, run.rehearsal);
  // In earnest it is done once the whole link is written.
  if (run.options.dryRun) await run.one(action, act);
  else if (!(await run.refusable(action, act))) missed.add(action);
}

/** Null: it could not be read, and the link is left as it is. */
type Passwords = Map<Action, string | null>;

async function readPasswords(run: Run): Promise<Passwords> {
  const passwords: Passwords = new Map();
  for (const action of run.of('link', 'create', 'change', 'adopt', 'move')) {
    const { password } = action;
    if (!password) continue;
    await run.refusable(action, async () => {
      passwords.set(action, null);
      passwords.set(action, await run.options.resolveSecret(password));
    });
  }
  return passwords;
}

function rowOf(action: Action, passwords: Passwords): Fields {
  const password = passwords.get(action);
  return password ? { ...action.set, password } : action.set;
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
