import { t } from '../texts/index.ts';

/** The themes that somebody can choose, with their names. */
export const colorSchemes = () =>
  [
    ['light', t.shell.light],
    ['dark', t.shell.dark],
    ['auto', t.shell.system],
  ] as const;
