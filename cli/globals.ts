/** The flags that every command takes. `name` is how commander hands them over. */
export interface GlobalFlags {
  json?: boolean;
  jq?: string;
  fields?: string[];
  profile?: string;
  url?: string;
  quiet?: boolean;
  yes?: boolean;
  /** False with `--no-color`. */
  color?: boolean;
  debug?: boolean;
  /** Of lists. */
  header?: boolean;
}

interface GlobalRow {
  name: keyof GlobalFlags;
  flags: string;
  summary: string;
  parse?: (text: string, earlier: unknown) => unknown;
}

/** One row for each flag that every command takes. */
export const GLOBALS: GlobalRow[] = [
  { name: 'json', flags: '--json', summary: 'print the answer of the server as it is, byte for byte' },
  { name: 'jq', flags: '--jq <expression>', summary: 'filter the JSON answer, one line for each result' },
  {
    name: 'fields',
    flags: '--fields <names>',
    summary: 'the columns or fields to print, separated by commas',
    parse: (text, earlier) => [...((earlier as string[] | undefined) ?? []), ...text.split(',').filter(Boolean)],
  },
  { name: 'profile', flags: '--profile <name>', summary: 'the profile to use, see svc profiles' },
  { name: 'url', flags: '--url <address>', summary: 'the address of the server' },
  { name: 'quiet', flags: '-q, --quiet', summary: 'print no notes and no progress' },
  { name: 'yes', flags: '-y, --yes', summary: 'do not ask before deleting, stopping or sending' },
  { name: 'color', flags: '--no-color', summary: 'print without colors' },
  { name: 'debug', flags: '--debug', summary: 'tell each request on stderr, without the key' },
];
