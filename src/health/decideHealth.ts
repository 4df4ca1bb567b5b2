import type { CheckFacts } from '../models/HealthCheck.ts';
import type { Project } from '../models/Project.ts';
import type { CheckResult } from './findings.ts';

/** A reported check with its counters: see HealthCheck. */
export interface CheckState extends CheckFacts {
  failures: number;
  involved: boolean;
}

export interface HealthState {
  health: Project['health'];
  /** When the last run ended; null before the first. */
  ranAt: Date | null;
  /** All checks of the table. */
  checks: CheckState[];
}

export interface HealthRun {
  /** Keyed by the name of the check. Checks without a result are missing. */
  results: ReadonlyMap<string, CheckResult>;
  startedAt: Date;
}

export interface HealthDecision {
  health: Project['health'];
  checks: CheckState[];
  event: 'health.failed' | 'health.recovered' | null;
  alert: 'raise' | 'update' | 'resolve' | null;
  /** The checks that event and alert are about: those that fail, or those that have recovered. */
  concerned: CheckState[];
}

/** A single failing run may be caused by a short network problem. */
const FAILURES_IN_A_ROW = 2;

/**
 * Decides what a run that ends at `at` changes. A check becomes `fail` with the second failing run in a row. A run that
 * started before the previous one ended observed the same moment and does not count as a second run. After a first failure,
 * the health of the project stays as it is until the next run.
 */
export function decideHealth(before: HealthState, run: HealthRun, at: Date): HealthDecision {
  const countsSeparately = before.ranAt === null || run.startedAt >= before.ranAt || before.ranAt > at;
  const next = before.checks.map((check) => {
    const result = run.results.get(check.name);
    return result ? stateAfter(check, result, countsSeparately, at) : check;
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

function stateAfter(before: CheckState, result: CheckResult, countsSeparately: boolean, at: Date): CheckState {
  if (result.status !== 'fail') {
    // This run observed the same moment as the one that failed.
    if (before.status === 'fail' && !countsSeparately) return before;
    return reported(before, result, at, 0);
  }
  const failures = countsSeparately ? before.failures + 1 : Math.max(before.failures, 1);
  if (before.status === 'fail' || failures >= FAILURES_IN_A_ROW) {
    return { ...reported(before, result, at, failures), involved: true };
  }
  const message = `Failed once; the check fails if the next run fails too: ${result.message}`;
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
