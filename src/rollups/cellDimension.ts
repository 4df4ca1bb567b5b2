/** Under this name each tag has a number of its own; under `tag` each list of tags that a click had. */
export const SINGLE_TAG = 'single_tag';

/** Where the numbers are that stand for the keys of a dimension. */
export function cellDimension(dimension: string): string {
  return dimension === 'tag' ? SINGLE_TAG : dimension;
}
