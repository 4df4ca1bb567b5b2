import path from 'node:path';

/** The checkout, from which tests are started: they may run as they are written or compiled, from another folder. */
export const ROOT = process.cwd();

/** A file or folder of the checkout. */
export function inRoot(...parts: string[]): string {
  return path.join(ROOT, ...parts);
}
