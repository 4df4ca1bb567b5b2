import type { CheckFacts } from '../events/presentHealth.ts';
import type { Asking } from './Asking.ts';
import type { Subject } from './readSubject.ts';

/** What one run of a check says. */
export type CheckResult = Pick<CheckFacts, 'status' | 'message'>;

/** One row of the table of checks. */
export interface Check {
  /** As on the wire. */
  name: string;
  about: string;
  /** Null: it could not be told this time, so that its status stays as it is. */
  run(subject: Subject, asking: Asking): Promise<CheckResult | null> | CheckResult;
}
