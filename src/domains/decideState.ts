import { DAY_MS } from '../kernel/clock.ts';
import type { Domain } from '../models/Domain.ts';
import type { OwnershipDecision, Proof } from './decideOwnership.ts';

/** The state of a domain before a check. */
export type DomainState = Pick<
  Domain,
  'status' | 'verifiedAt' | 'verifiedBy' | 'failures' | 'createdAt' | 'checkedAt' | 'nextCheckAt' | 'problem'
>;

/** How often domains are checked. */
export interface CheckPace {
  retrySeconds: readonly number[];
  recheckSeconds: number;
  pendingDays: number;
  /** Failed checks in a row. */
  failAfter: number;
}

export interface CheckTime {
  at: Date;
  /** A user asked for the check, so the gaps start again from the first. */
  isRequested: boolean;
}

export interface StateDecision {
  status: Domain['status'];
  verifiedAt: Date | null;
  verifiedBy: Proof | null;
  failures: number;
  checkedAt: Date | null;
  /** Null if it is only checked on request. */
  nextCheckAt: Date | null;
  problem: string | null;
  /** The change to report. */
  change: 'verified' | 'recovered' | 'failing' | null;
}

/** The state of a domain after a check, and when it is checked next. */
export function decideState(
  state: DomainState,
  ownership: OwnershipDecision,
  check: CheckTime,
  pace: CheckPace,
): StateDecision {
  if (ownership.kind === 'proven') return proven(state, ownership.by, check, pace);
  if (ownership.kind === 'undecided') return undecided(state, ownership.problem, check, pace);
  return state.verifiedAt === null
    ? stillPending(state, ownership.problem, check, pace)
    : held(state, ownership.problem, check, pace);
}

function proven(state: DomainState, by: Proof, { at }: CheckTime, { recheckSeconds }: CheckPace): StateDecision {
  const isFirst = state.verifiedAt === null;
  return {
    status: 'verified',
    verifiedAt: state.verifiedAt ?? at,
    verifiedBy: by,
    failures: 0,
    checkedAt: at,
    nextCheckAt: after(at, recheckSeconds),
    problem: null,
    change: isFirst ? 'verified' : state.status === 'failing' ? 'recovered' : null,
  };
}

/** The state stays as it was, and the next check is soon. A verified domain does not show an internal error. */
function undecided(state: DomainState, problem: string, { at }: CheckTime, pace: CheckPace): StateDecision {
  return {
    ...kept(state),
    checkedAt: state.checkedAt,
    nextCheckAt: isTooOld(state, at, pace) ? null : after(at, gap(1, pace)),
    problem: state.status === 'pending' ? problem : state.problem,
  };
}

function stillPending(
  state: DomainState,
  problem: string,
  { at, isRequested }: CheckTime,
  pace: CheckPace,
): StateDecision {
  // The first gap follows the creation or the request, and the second gap follows the first check after that.
  const failures = isRequested ? 0 : state.failures + 1;
  const nextCheckAt = isTooOld(state, at, pace) ? null : after(at, gap(failures + 1, pace));
  return { ...kept(state), failures, checkedAt: at, nextCheckAt, problem };
}

function held(state: DomainState, problem: string, check: CheckTime, pace: CheckPace): StateDecision {
  // Repeated requests during a short outage must not use up `failAfter`.
  const isTooSoon =
    check.isRequested &&
    state.failures > 0 &&
    state.checkedAt !== null &&
    check.at < after(state.checkedAt, gap(1, pace));
  const failures = isTooSoon ? state.failures : state.failures + 1;
  const fails = state.status === 'failing' || failures >= pace.failAfter;
  const next = after(check.at, Math.min(gap(check.isRequested ? 1 : failures, pace), pace.recheckSeconds));
  return {
    ...kept(state),
    status: fails ? 'failing' : 'verified',
    failures,
    checkedAt: check.at,
    // Nor may they put off the check that counts.
    nextCheckAt: isTooSoon && state.nextCheckAt && state.nextCheckAt < next ? state.nextCheckAt : next,
    problem,
    change: fails && state.status !== 'failing' ? 'failing' : null,
  };
}

function kept({ status, verifiedAt, verifiedBy, failures }: DomainState) {
  return { status, verifiedAt, verifiedBy, failures, change: null };
}

function isTooOld({ verifiedAt, createdAt }: DomainState, at: Date, { pendingDays }: CheckPace): boolean {
  return verifiedAt === null && at.getTime() - createdAt.getTime() >= pendingDays * DAY_MS;
}

/** The gap with this number, in seconds, counted from 1. The last one repeats. */
function gap(number: number, { retrySeconds, recheckSeconds }: CheckPace): number {
  return Math.max(1, retrySeconds[Math.min(number, retrySeconds.length) - 1] ?? recheckSeconds);
}

function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
