import { type CodedError, validationFailed } from '../kernel/errors.ts';
import { areTags, type TagOfLink, tagKey } from '../tags/tagNames.ts';
import type { LinkChange } from './linkInput.ts';

/** The most tags of one link. */
export const MAX_TAGS = 50;

/** Tags that a change adds to those that a link has, and takes from them; names are compared without regard to case. */
export interface Retagging {
  add: readonly string[];
  remove: readonly string[];
}

/** The names of the tags that a link has after a change; null when they stay as they are. */
export function tagsAfter(
  tags: readonly TagOfLink[],
  { input, retagging }: { input: LinkChange; retagging?: Retagging },
): string[] | null {
  const names = retagging ? retagged(tags, retagging) : input.tags;
  return names === undefined || areTags(tags, names ?? []) ? null : (names ?? []);
}

/** Why a link cannot have so many tags; null when it can. */
export function tagsRefusal(names: readonly string[] | null): CodedError | null {
  if (names === null || new Set(names.map(tagKey)).size <= MAX_TAGS) return null;
  return validationFailed([{ path: 'add_tags', message: `The link would have more than ${MAX_TAGS} tags.` }]);
}

function retagged(tags: readonly TagOfLink[], { add, remove }: Retagging): string[] {
  const removed = new Set(remove.map(tagKey));
  const kept = tags.filter(({ name }) => !removed.has(tagKey(name))).map(({ name }) => name);
  return [...kept, ...add];
}
