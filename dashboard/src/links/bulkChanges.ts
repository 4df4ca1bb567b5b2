import type { VariablesOf } from '../kernel/graphql.ts';
import type { BULK_UPDATE } from './bulkOperations.ts';
import type { BulkLink } from './bulkProgress.ts';

/** What one call changes of its links. */
type LinkChange = Omit<VariablesOf<typeof BULK_UPDATE>['input'], 'projectId' | 'ids'>;

/** What to do with each of the selected links. */
export type BulkAction =
  | { kind: 'set'; set: NonNullable<LinkChange['set']> }
  | { kind: 'addTags' | 'removeTags'; tags: string[] }
  | { kind: 'restore'; changes: ReadonlyMap<string, LinkChange> }
  | { kind: 'delete' };

/** The changes that an action makes, each for as many links as possible. */
export function changesOf(
  links: readonly Pick<BulkLink, 'id'>[],
  action: Exclude<BulkAction, { kind: 'delete' }>,
): { change: LinkChange; ids: string[] }[] {
  const changes = new Map<string, { change: LinkChange; ids: string[] }>();
  for (const { id } of links) {
    const change = changeOf(id, action);
    if (!change) continue;
    const key = JSON.stringify(change);
    const same = changes.get(key) ?? { change, ids: [] };
    same.ids.push(id);
    changes.set(key, same);
  }
  return [...changes.values()];
}

function changeOf(id: string, action: Exclude<BulkAction, { kind: 'delete' }>): LinkChange | undefined {
  if (action.kind === 'restore') return action.changes.get(id);
  if (action.kind === 'set') return { set: action.set };
  return action.kind === 'addTags' ? { addTags: action.tags } : { removeTags: action.tags };
}

/** What undoes an action for links as they were before it; null where nothing does. */
export function wayBack(action: BulkAction, before: readonly BulkLink[]): BulkAction | null {
  if (before.length === 0 || action.kind === 'delete' || action.kind === 'restore') return null;
  const changes = before.flatMap((link) => {
    const change = earlier(action, link);
    return change ? [[link.id, change] as const] : [];
  });
  return { kind: 'restore', changes: new Map(changes) };
}

/** What undoes an action for one link; null where it changed nothing of it. */
function earlier(action: Exclude<BulkAction, { kind: 'delete' | 'restore' }>, link: BulkLink): LinkChange | null {
  if (action.kind === 'set') {
    const { set } = action;
    return {
      set: {
        ...('archived' in set ? { archived: link.archivedAt !== null } : {}),
        ...('domain' in set ? { domain: link.domain } : {}),
        ...('expiresAt' in set ? { expiresAt: link.expiresAt } : {}),
      },
    };
  }
  // Only the tags that the link got or lost by the action: others may have changed the rest meanwhile.
  const had = new Set(link.tags.map(tagKey));
  const isAdding = action.kind === 'addTags';
  const tags = action.tags.filter((tag) => had.has(tagKey(tag)) !== isAdding);
  if (tags.length === 0) return null;
  return isAdding ? { removeTags: tags } : { addTags: tags };
}

/** Names of tags are compared without regard to case, as the server does. */
function tagKey(name: string): string {
  return name.trim().toLowerCase();
}
