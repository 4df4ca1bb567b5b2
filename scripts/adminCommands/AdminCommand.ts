/** A command for operators: `npm run admin -- <name> <args>`. */
export interface AdminCommand {
  name: string;
  /** Its arguments as shown in the usage, such as `TEAM_ID REASON…`; empty if it takes none. */
  usage: string;
  about: string;
  /** Runs on the open store and returns what to print. Throws `WrongArguments`, or an error whose message is shown. */
  run(args: string[]): Promise<string>;
}

/** The arguments do not match the usage, which is then shown. */
export class WrongArguments extends Error {}
