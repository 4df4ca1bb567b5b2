/** One entry of `components` as somebody else wrote it. */
export type Component = Record<string, unknown>;

/** Whether iOS opens that path with the app: the first component that fits decides. Those with queries or fragments fit none. */
export function opensPath(components: readonly Component[], path: string): boolean {
  const first = components.find((component) => {
    const pattern = component['/'] ?? '*';
    const isPlain = component['?'] === undefined && component['#'] === undefined;
    return isPlain && typeof pattern === 'string' && fits(pattern, path);
  });
  return first !== undefined && first.exclude !== true;
}

/**
 * `*` stands for anything, `?` for one character. Not by a regular expression: what others write could make one take for
 * ever, while this takes at most the product of the lengths.
 */
function fits(pattern: string, path: string): boolean {
  let [at, star, retry] = [0, -1, 0];
  for (let read = 0; read < path.length; ) {
    if (pattern[at] === '*') {
      star = at;
      retry = read;
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === path[read]) {
      at += 1;
      read += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      read = retry;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
