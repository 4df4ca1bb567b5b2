/** One health check of a project as it is reported. */
export interface CheckFacts {
  name: string;
  status: 'pass' | 'warn' | 'fail' | 'skip';
  /** What was found, and what to do about it. */
  message: string;
  /** Since when the status is what it is; null before the first run. */
  since: Date | null;
}

/** The data of `health.failed` and `health.recovered`: the checks that turned. */
export function presentHealth(checks: CheckFacts[]) {
  return {
    checks: checks.map(({ name, status, message, since }) => ({
      name,
      status,
      message,
      since: since?.toISOString() ?? null,
    })),
  };
}
