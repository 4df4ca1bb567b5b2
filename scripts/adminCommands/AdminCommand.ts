/** A command for operators: `npm run admin -- <name> <args>`. */
export interface AdminCommand {
  name: string;
  /** Its arguments as shown in the usage, such as `TEAM_ID REASON…`; empty if it takes none. */
  usage: string;
  about: string;
  /**
   * `store` (default): runs on the open store, for which the product must be stopped where the store is embedded. `settings`:
   * opens and locks what it needs by itself. `older store`: the open store as it is, without migrations.
   */
  needs?: 'store' | 'settings' | 'older store';
  /** Returns what to print. Throws `WrongArguments`, or an error whose message is shown. */
  run(args: string[]): Promise<string>;
}

/** The arguments do not match the usage, which is then shown. */
export class WrongArguments extends Error {}
