/** One thing that an operator does beside the running product: `npm run admin -- <name> <args>`. */
export interface AdminCommand {
  name: string;
  /** Its arguments as the usage shows them, such as `TEAM_ID REASON…`; empty: it takes none. */
  usage: string;
  about: string;
  /** Acts on the open store and gives what is printed. Throws `WrongArguments`, or an error whose message is shown. */
  run(args: string[]): Promise<string>;
}

/** The arguments don't fit the usage, which is then shown. */
export class WrongArguments extends Error {}
