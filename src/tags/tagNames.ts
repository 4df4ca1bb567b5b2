export interface TagOfLink {
  id: string;
  name: string;
}

/** The form in which names are compared: they are unique without regard to case. */
export function tagKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Whether a link that has these tags has exactly those of these names. */
export function areTags(tags: readonly TagOfLink[], names: readonly string[]): boolean {
  const wanted = new Set(names.map(tagKey));
  return wanted.size === tags.length && tags.every(({ name }) => wanted.has(tagKey(name)));
}
