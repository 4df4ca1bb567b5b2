import type { Action, Row } from './types.ts';

/**
 * Puts a link that gives an address away before the link that takes it. A link that wants an address which stays another's is
 * a conflict, and so is each of a circle of links that exchange addresses.
 */
export function orderByAddress(actions: Action[], byAddress: Map<string, Row>, names: Map<string, string>): Action[] {
  const byId = new Map(
    actions.flatMap((action) => (action.id && action.verb !== 'conflict' ? [[action.id, action]] : [])),
  );
  const ordered: Action[] = [];
  const state = new Map<Action, 'open' | 'done'>();
  const place = (action: Action): void => {
    if (state.get(action) === 'done') return;
    state.set(action, 'open');
    const address = addressAfter(action);
    const rival = address === null ? undefined : byAddress.get(address);
    const next = rival && rival.id !== action.id ? giverOf(rival, byId) : null;
    if (next && !state.has(next)) place(next);
    if (rival && rival.id !== action.id) {
      const isFreed = next !== null && next.verb !== 'conflict' && state.get(next) === 'done';
      if (isFreed) action.wave = next.wave + 1;
      else refuse(action, rival, names, next !== null && state.get(next) === 'open');
    }
    state.set(action, 'done');
    ordered.push(action);
  };
  for (const action of actions) place(action);
  return ordered;
}

/** The address that a link will have; null where it keeps its own or gets a generated one. */
function addressAfter({ verb, set, changes }: Action): string | null {
  if (verb === 'conflict' || set.domain === undefined) return null;
  const isNew = verb === 'create' || changes.some(({ field }) => field === 'domain' || field === 'slug');
  return isNew && typeof set.slug === 'string' ? `${set.domain}/${set.slug}` : null;
}

/** The action by which the link at an address leaves it. */
function giverOf(rival: Row, byId: Map<string, Action>): Action | null {
  const action = byId.get(rival.id);
  return action?.changes.some(({ field }) => field === 'domain' || field === 'slug') ? action : null;
}

function refuse(action: Action, rival: Row, names: Map<string, string>, isCircle: boolean): void {
  const owner = names.get(rival.id);
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
