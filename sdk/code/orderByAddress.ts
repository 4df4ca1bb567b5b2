import type { Action, Row } from './types.ts';

/**
 * Puts a link that gives an address away before the link that takes it. A link that wants an address which stays another's is
 * a conflict, and so is each of a circle of links that exchange addresses.
 */
export function orderByAddress(actions: Action[], byAddress: Map<string, Row>, nameOf: NameOf): Action[] {
  const leaving = new Map(actions.filter(leavesAddress).map((action) => [action.id, action]));
  const ordered: Action[] = [];
  const state = new Map<Action, 'open' | 'done'>();
  const place = (action: Action): void => {
    if (state.has(action)) return;
    const address = addressAfter(action);
    const rival = address === null ? undefined : byAddress.get(address);
    if (rival && rival.id !== action.id) {
      state.set(action, 'open');
      const giver = leaving.get(rival.id);
      if (giver) place(giver);
      const isFreed = giver && giver.verb !== 'conflict' && state.get(giver) !== 'open';
      if (isFreed) action.wave = giver.wave + 1;
      else refuse(action, rival, nameOf(rival.id), giver !== undefined && state.get(giver) === 'open');
    }
    state.set(action, 'done');
    ordered.push(action);
  };
  for (const action of actions) place(action);
  return ordered;
}

/** The name in the file of the link with this id. */
type NameOf = (id: string) => string | undefined;

function leavesAddress({ verb, changes }: Action): boolean {
  return verb !== 'conflict' && changes.some(({ field }) => field === 'domain' || field === 'slug');
}

/** The address that a link will have; null where it keeps its own or gets a generated one. */
function addressAfter({ verb, set, changes }: Action): string | null {
  if (verb === 'conflict' || set.domain === undefined) return null;
  const isNew = verb === 'create' || changes.some(({ field }) => field === 'domain' || field === 'slug');
  return isNew && typeof set.slug === 'string' ? `${set.domain}/${set.slug}` : null;
}

function refuse(action: Action, rival: Row, owner: string | undefined, isCircle: boolean): void {
  const address = `${rival.domain}/${rival.slug}`;
  action.verb = 'conflict';
  action.changes = [];
  action.set = {};
  action.password = null;
  action.note = isCircle
    ? `${address} is exchanged in a circle; give one link another slug first`
    : owner !== undefined
      ? `${address} is the address of link ${owner}`
      : typeof rival.managed_by === 'string'
        ? `${address} is the address of ${rival.external_id ?? rival.id}, which is no longer in the file; if it got another name, say so under moved`
        : `${address} is used by another link`;
}
