import type { Run } from './apply.ts';
import type { Action, Fields } from './types.ts';

/** As many as a bulk call takes. */
const BATCH = 1000;
/** Hashing passwords takes long, so that a bulk call takes only so many. */
const MAX_PASSWORDS = 20;
/** A bulk call makes at most so many new tags; which are new only the server knows. */
const MAX_TAGS = 200;

/** Creates, changes, renames and takes over links, a thousand in a call. */
export async function applyLinks(run: Run): Promise<void> {
  const passwords = await readPasswords(run);
  const actions = run
    .of('link', 'create', 'change', 'adopt', 'move')
    .filter((action) => passwords.get(action) !== null);
  const waves = Map.groupBy(actions, ({ wave }) => wave);
  for (const wave of [...waves.keys()].sort((a, b) => a - b)) {
    for (const batch of batchesOf(waves.get(wave) ?? [])) {
      await run.many(batch, () =>
        run.api.putLinks(
          batch.map((action) => rowOf(action, passwords.get(action))),
          run.rehearsal,
        ),
      );
    }
  }
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

/** A link that exists is named by its id: one that was deleted meanwhile is then refused, and not made anew in part. */
function rowOf({ id, set, password }: Action, value: string | null | undefined): Fields {
  return { ...(id === null ? {} : { id }), ...set, ...(password && value ? { password: value } : {}) };
}

function* batchesOf(actions: Action[]): Generator<Action[]> {
  let batch: Action[] = [];
  let passwords = 0;
  let tags = new Set<unknown>();
  for (const action of actions) {
    const own = Array.isArray(action.set.tags) ? action.set.tags : [];
    const isFull =
      batch.length === BATCH ||
      (action.password && passwords === MAX_PASSWORDS) ||
      tags.size + own.filter((tag) => !tags.has(tag)).length > MAX_TAGS;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, passwords, tags] = [[], 0, new Set()];
    }
    batch.push(action);
    if (action.password) passwords += 1;
    for (const tag of own) tags.add(tag);
  }
  if (batch.length > 0) yield batch;
}
