import type { CheckFacts } from '../events/presentHealth.ts';
import type { Project } from '../models/Project.ts';
import type { CheckResult } from './Check.ts';

/** A check as it is reported, and what that follows from; see HealthCheck. */
export interface CheckState extends CheckFacts {
  failures: number;
  involved: boolean;
}

export interface HealthState {
  health: Project['health'];
  /** When the last run ended that counted or not; null: none has. */
  ranAt: Date | null;
  /** Every check of the table. */
  checks: CheckState[];
}

export interface HealthRun {
  /** By the name of the check; those that could not be told are missing. */
  results: ReadonlyMap<string, CheckResult>;
  startedAt: Date;
}

export interface HealthDecision {
  health: Project['health'];
  checks: CheckState[];
  event: 'health.failed' | 'health.recovered' | null;
  alert: 'raise' | 'update' | 'resolve' | null;
  /** What event and alert are about: the checks that fail, or that failed and do no more. */
  concerned: CheckState[];
}

/** One bad run may be the weather of the network. */
const FAILURES_IN_A_ROW = 2;

/**
 * What a run that ends at `at` changes. A check turns `fail` with the second failing run in a row; a run that began before
 * the last one ended has seen the same moment and counts as no other. While a failure waits for its second, the health of
 * the project stays as it is.
 */
export function decideHealth(before: HealthState, run: HealthRun, at: Date): HealthDecision {
  const isAnother = before.ranAt === null || run.startedAt >= before.ranAt || before.ranAt > at;
  const next = before.checks.map((check) => {
    const result = run.results.get(check.name);
    return result ? stateAfter(check, result, isAnother, at) : check;
  });
  const health = healthOf(before.health, next, run);
  const isOver = before.health === 'failing' && health === 'passing';
  const failing = next.filter(({ status }) => status === 'fail');
  return {
    health,
    checks: health === 'passing' ? next.map((check) => ({ ...check, involved: false })) : next,
    event: isOver ? 'health.recovered' : before.health === 'passing' && health === 'failing' ? 'health.failed' : null,
    alert: isOver ? 'resolve' : health !== 'failing' ? null : before.health === 'failing' ? 'update' : 'raise',
    concerned: isOver ? next.filter(({ involved }) => involved) : failing,
  };
}

function stateAfter(before: CheckState, result: CheckResult, isAnother: boolean, at: Date): CheckState {
  if (result.status !== 'fail') {
    // It has seen no more than the run that failed meanwhile.
    if (before.status === 'fail' && !isAnother) return before;
    return reported(before, result, at, 0);
  }
  const failures = isAnother ? before.failures + 1 : Math.max(before.failures, 1);
  if (before.status === 'fail' || failures >= FAILURES_IN_A_ROW) {
    return { ...reported(before, result, at, failures), involved: true };
  }
  const message = `Failed once, which counts if the next run finds the same: ${result.message}`;
  return { ...before, message, failures };
}

function reported(before: CheckState, { status, message }: CheckResult, at: Date, failures: number): CheckState {
  const isSame = before.since !== null && before.status === status;
  return { ...before, status, message, since: isSame ? before.since : at, failures };
}

function healthOf(before: Project['health'], checks: CheckState[], { results }: HealthRun): Project['health'] {
  if (checks.some(({ status }) => status === 'fail')) return 'failing';
  const isPending = checks.some(({ name, failures }) => failures > 0 && results.has(name));
  const isKnown = checks.some(({ since }) => since !== null);
  return isPending || !isKnown ? before : 'passing';
}
