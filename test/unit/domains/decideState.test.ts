// stores: none
import { expect } from 'chai';
import type { OwnershipDecision } from '../../../src/domains/decideOwnership.ts';
import { type CheckPace, type DomainState, decideState, type StateDecision } from '../../../src/domains/decideState.ts';

const PACE: CheckPace = { retrySeconds: [60, 120, 300], recheckSeconds: 3600, pendingDays: 30, failAfter: 3 };
const AT = new Date('2026-11-01T12:00:00Z');
const EARLIER = new Date('2026-10-20T12:00:00Z');
const DAY_MS = 86_400_000;

const PENDING: DomainState = {
  status: 'pending',
  verifiedAt: null,
  verifiedBy: null,
  failures: 0,
  createdAt: EARLIER,
  checkedAt: null,
  nextCheckAt: null,
  problem: null,
};
const VERIFIED: DomainState = {
  ...PENDING,
  status: 'verified',
  verifiedAt: EARLIER,
  verifiedBy: 'dns',
  checkedAt: EARLIER,
};
const FAILING: DomainState = { ...VERIFIED, status: 'failing', failures: 5, problem: 'before' };

const PROVEN: OwnershipDecision = { kind: 'proven', by: 'txt', takenFrom: [] };
const FAILED: OwnershipDecision = { kind: 'failed', problem: 'now' };
const UNDECIDED: OwnershipDecision = { kind: 'undecided', problem: 'ours' };

/** Milliseconds before the look. */
const ago = (ms: number) => new Date(AT.getTime() - ms);

type Row = [
  about: string,
  state: DomainState,
  verdict: OwnershipDecision,
  wanted: Partial<StateDecision> & { inSeconds: number | null },
];

const BY_ITSELF: Row[] = [
  [
    'pending → verified, once',
    PENDING,
    PROVEN,
    { status: 'verified', verifiedAt: AT, verifiedBy: 'txt', change: 'verified', problem: null, inSeconds: 3600 },
  ],
  ['the first look fails', PENDING, FAILED, { status: 'pending', failures: 1, problem: 'now', inSeconds: 120 }],
  ['the second', { ...PENDING, failures: 1 }, FAILED, { failures: 2, inSeconds: 300 }],
  ['the last gap repeats', { ...PENDING, failures: 9 }, FAILED, { failures: 10, inSeconds: 300 }],
  ['pending for too long', { ...PENDING, createdAt: ago(30 * DAY_MS) }, FAILED, { failures: 1, inSeconds: null }],
  ['nearly so', { ...PENDING, createdAt: ago(30 * DAY_MS - 1) }, FAILED, { failures: 1, inSeconds: 120 }],
  ['still verified', VERIFIED, PROVEN, { status: 'verified', verifiedAt: EARLIER, change: null, inSeconds: 3600 }],
  ['fails once', VERIFIED, FAILED, { status: 'verified', failures: 1, problem: 'now', change: null, inSeconds: 60 }],
  ['fails twice', { ...VERIFIED, failures: 1 }, FAILED, { status: 'verified', failures: 2, inSeconds: 120 }],
  [
    'fails three times',
    { ...VERIFIED, failures: 2 },
    FAILED,
    { status: 'failing', verifiedAt: EARLIER, failures: 3, change: 'failing', inSeconds: 300 },
  ],
  ['is told of once', FAILING, FAILED, { status: 'failing', failures: 6, change: null, inSeconds: 300 }],
  [
    'recovers without being verified anew',
    FAILING,
    PROVEN,
    { status: 'verified', verifiedAt: EARLIER, failures: 0, problem: null, change: 'recovered', inSeconds: 3600 },
  ],
  [
    'a success in between begins anew',
    { ...VERIFIED, failures: 2 },
    PROVEN,
    { status: 'verified', failures: 0, change: null, inSeconds: 3600 },
  ],
  ['a fault of ours, pending', PENDING, UNDECIDED, { failures: 0, problem: 'ours', checkedAt: null, inSeconds: 60 }],
  [
    'a fault of ours, verified',
    { ...VERIFIED, failures: 2 },
    UNDECIDED,
    { status: 'verified', failures: 2, problem: null, checkedAt: EARLIER, change: null, inSeconds: 60 },
  ],
  [
    'a fault of ours, failing',
    FAILING,
    UNDECIDED,
    { status: 'failing', failures: 5, problem: 'before', inSeconds: 60 },
  ],
];

const ON_REQUEST: Row[] = [
  ['the gaps begin anew', { ...PENDING, failures: 7 }, FAILED, { failures: 0, problem: 'now', inSeconds: 60 }],
  ['an old one is not looked at by itself', { ...PENDING, createdAt: ago(31 * DAY_MS) }, FAILED, { inSeconds: null }],
  ['the first failure counts', VERIFIED, FAILED, { status: 'verified', failures: 1, inSeconds: 60 }],
  [
    'another at once does not',
    { ...VERIFIED, failures: 2, checkedAt: ago(59_999) },
    FAILED,
    { status: 'verified', failures: 2, problem: 'now', change: null, inSeconds: 60 },
  ],
  [
    'another at once does not put off the look that counts',
    { ...VERIFIED, failures: 2, checkedAt: ago(30_000), nextCheckAt: new Date(AT.getTime() + 30_000) },
    FAILED,
    { status: 'verified', failures: 2, inSeconds: 30 },
  ],
  [
    'after the first gap it does',
    { ...VERIFIED, failures: 2, checkedAt: ago(60_000) },
    FAILED,
    { status: 'failing', failures: 3, change: 'failing', inSeconds: 60 },
  ],
  ['success', FAILING, PROVEN, { status: 'verified', change: 'recovered', inSeconds: 3600 }],
];

describe('what becomes of a domain by a look', () => {
  for (const [isRequested, rows] of [
    [false, BY_ITSELF],
    [true, ON_REQUEST],
  ] as const) {
    for (const [about, state, verdict, { inSeconds, ...wanted }] of rows) {
      it(`${isRequested ? 'on request' : 'by itself'}: ${about}`, () => {
        const next = decideState(state, verdict, { at: AT, isRequested }, PACE);
        expect(next).to.deep.include(wanted);
        const gap = next.nextCheckAt && (next.nextCheckAt.getTime() - AT.getTime()) / 1000;
        expect(gap, 'seconds to the next look').to.equal(inSeconds);
        if (verdict.kind !== 'undecided') expect(next.checkedAt).to.equal(AT);
      });
    }
  }

  it('is looked at again no later than a domain in order, however long the gaps are', () => {
    const pace = { ...PACE, retrySeconds: [60, 43_200] };
    const { nextCheckAt } = decideState({ ...VERIFIED, failures: 1 }, FAILED, { at: AT, isRequested: false }, pace);
    expect(nextCheckAt?.getTime()).to.equal(AT.getTime() + 3_600_000);
  });
});
