import { tagKey } from '../links/linkTags.ts';

/** What can be said about a tag; a field that is not sent is undefined. */
export interface TagInput {
  name?: string;
  color?: string | null;
}

/** The columns that follow from it. */
export function tagColumns({ name, color }: TagInput): { name?: string; nameKey?: string; color?: string | null } {
  return {
    ...(name === undefined ? {} : { name, nameKey: tagKey(name) }),
    ...(color === undefined ? {} : { color }),
  };
}
