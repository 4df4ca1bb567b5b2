import { DAY_MS } from '../kernel/durations.ts';
import type { Domain } from '../models/Domain.ts';
import type { Verdict } from './judge.ts';
import type { Proof } from './proof.ts';

/** What is known of a domain before a look. */
export type State = Pick<
  Domain,
  'status' | 'verifiedAt' | 'verifiedBy' | 'failures' | 'createdAt' | 'checkedAt' | 'problem'
>;

/** Seconds, but for `failAfter` and `pendingDays`. */
export interface Pace {
  retrySeconds: readonly number[];
  recheckSeconds: number;
  pendingDays: number;
  /** Looks in a row. */
  failAfter: number;
}

export interface Look {
  at: Date;
  /** Somebody asked for it: the gaps begin anew. */
  isRequested: boolean;
}

export interface Next {
  status: Domain['status'];
  verifiedAt: Date | null;
  verifiedBy: Proof | null;
  failures: number;
  checkedAt: Date | null;
  /** Null: on request alone. */
  nextCheckAt: Date | null;
  problem: string | null;
  /** What is to be told. */
  turn: 'verified' | 'recovered' | 'failing' | null;
}

/** What becomes of a domain by a look. Pure. */
export function nextState(state: State, verdict: Verdict, look: Look, pace: Pace): Next {
  if (verdict.kind === 'proven') return proven(state, verdict.by, look, pace);
  if (verdict.kind === 'undecided') return undecided(state, verdict.problem, look, pace);
  return state.verifiedAt === null
    ? stillPending(state, verdict.problem, look, pace)
    : held(state, verdict.problem, look, pace);
}

function proven(state: State, by: Proof, { at }: Look, { recheckSeconds }: Pace): Next {
  const isFirst = state.verifiedAt === null;
  return {
    status: 'verified',
    verifiedAt: state.verifiedAt ?? at,
    verifiedBy: by,
    failures: 0,
    checkedAt: at,
    nextCheckAt: after(at, recheckSeconds),
    problem: null,
    turn: isFirst ? 'verified' : state.status === 'failing' ? 'recovered' : null,
  };
}

/** As if nobody had looked, but soon again. A domain that works is not told of a fault of ours. */
function undecided(state: State, problem: string, { at }: Look, pace: Pace): Next {
  return {
    ...kept(state),
    checkedAt: state.checkedAt,
    nextCheckAt: isTooOld(state, at, pace) ? null : after(at, gap(1, pace)),
    problem: state.status === 'pending' ? problem : state.problem,
  };
}

function stillPending(state: State, problem: string, { at, isRequested }: Look, pace: Pace): Next {
  // The first gap follows on the creation, or on the request, and the second on the first look after that.
  const failures = isRequested ? 0 : state.failures + 1;
  const nextCheckAt = isTooOld(state, at, pace) ? null : after(at, gap(failures + 1, pace));
  return { ...kept(state), failures, checkedAt: at, nextCheckAt, problem };
}

function held(state: State, problem: string, look: Look, pace: Pace): Next {
  // Somebody who asks again and again in a bad minute must not make it worse than it is.
  const isTooSoon =
    look.isRequested &&
    state.failures > 0 &&
    state.checkedAt !== null &&
    look.at < after(state.checkedAt, gap(1, pace));
  const failures = isTooSoon ? state.failures : state.failures + 1;
  const fails = state.status === 'failing' || failures >= pace.failAfter;
  return {
    ...kept(state),
    status: fails ? 'failing' : 'verified',
    failures,
    checkedAt: look.at,
    nextCheckAt: after(look.at, Math.min(gap(look.isRequested ? 1 : failures, pace), pace.recheckSeconds)),
    problem,
    turn: fails && state.status !== 'failing' ? 'failing' : null,
  };
}

function kept({ status, verifiedAt, verifiedBy, failures }: State) {
  return { status, verifiedAt, verifiedBy, failures, turn: null };
}

function isTooOld({ verifiedAt, createdAt }: State, at: Date, { pendingDays }: Pace): boolean {
  return verifiedAt === null && at.getTime() - createdAt.getTime() >= pendingDays * DAY_MS;
}

/** The gap of that number, from 1; the last one repeats. */
function gap(number: number, { retrySeconds, recheckSeconds }: Pace): number {
  return Math.max(1, retrySeconds[Math.min(number, retrySeconds.length) - 1] ?? recheckSeconds);
}

function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
