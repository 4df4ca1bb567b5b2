/** What `svc` ends with. Scripts rely on the numbers; `svc help exit-codes` prints this table. */
const TABLE = {
  done: [0, 'Done.'],
  failed: [1, 'The server or the command refused, or it failed.'],
  changes: [2, '`svc plan` found changes.'],
  partly: [3, 'Partly done: some rows failed.'],
  signedOut: [4, 'Not signed in, or the key was refused.'],
  notFound: [5, 'The server does not have it.'],
  usage: [64, 'The command line is wrong: an unknown command or flag, a bad or missing value.'],
  unreachable: [69, 'The server cannot be reached.'],
  interrupted: [130, 'Interrupted by Ctrl-C.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ExitName = keyof typeof TABLE;

/** The number of each outcome. */
export const EXIT = Object.fromEntries(Object.entries(TABLE).map(([name, [code]]) => [name, code])) as {
  [Name in ExitName]: (typeof TABLE)[Name][0];
};

/** The rows of the table: number and meaning. */
export const EXIT_ROWS: readonly (readonly [number, string])[] = Object.values(TABLE);
