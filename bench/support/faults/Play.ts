import type { Installation, Needs } from './Installation.ts';
import type { Ledger } from './Ledger.ts';

/** What a play has at hand while the load goes on. */
export interface Stage {
  installation: Installation;
  ledger: Ledger;
}

/** A fault that is played on an installation under load. */
export interface Play {
  name: string;
  about: string;
  needs?: Partial<Needs>;
  /** Plays it, leaves the installation as it was, and returns what is worth telling. */
  run(stage: Stage): Promise<string>;
  /** Not one request may fail. */
  failsNothing?: boolean;
  /** Something answered may be lost: what an asynchronous standby did not get before it was promoted. */
  mayLose?: boolean;
}
