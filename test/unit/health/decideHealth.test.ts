// stores: none
import { expect } from 'chai';
import { decideHealth, type HealthDecision, type HealthState } from '../../../src/health/decideHealth.ts';
import type { CheckResult } from '../../../src/health/findings.ts';

const BEGIN_MS = Date.UTC(2026, 10, 16, 12);
const NAMES = ['a', 'b'];

/** By letters: p(ass), w(arn), f(ail), s(kip); `-`: could not be told. */
const WORDS = { p: 'pass', w: 'warn', f: 'fail', s: 'skip' } as const;
type Letter = keyof typeof WORDS;

const blank: HealthState = {
  health: 'unknown',
  ranAt: null,
  checks: NAMES.map((name) => ({ name, status: 'skip', message: '', since: null, failures: 0, involved: false })),
};

function minute(count: number): Date {
  return new Date(BEGIN_MS + count * 60_000);
}

function resultsOf(letters: string): Map<string, CheckResult> {
  const told = NAMES.map((name, at): [string, string] => [name, letters[at] ?? '-']).filter(
    ([, letter]) => letter !== '-',
  );
  return new Map(
    told.map(([name, letter]) => [name, { status: WORDS[letter as Letter], message: `${name} ${letter}` }]),
  );
}

/** Runs one after the other, a minute apart, each over at once; the state after each. */
function through(runs: string[], from = blank): { decisions: HealthDecision[]; state: HealthState } {
  let state = from;
  const decisions = runs.map((letters, at) => {
    const decision = decideHealth(state, { results: resultsOf(letters), startedAt: minute(at) }, minute(at));
    state = { health: decision.health, checks: decision.checks, ranAt: minute(at) };
    return decision;
  });
  return { decisions, state };
}

describe('the health of a project', () => {
  /** What each run says of the two checks; what the project is after each; which events there were, with what they tell. */
  const table: [what: string, runs: string[], health: string, events: string[]][] = [
    ['passes after one good run', ['pp'], 'p', []],
    ['is unknown while nothing was told', ['--', '--'], 'uu', []],
    ['takes warnings and what is left out for good', ['ws', 'sw'], 'pp', []],
    ['stays unknown with a first failure', ['fp'], 'u', []],
    ['fails from unknown without an event', ['fp', 'fp'], 'uf', []],
    ['passes by one failure', ['pp', 'fp', 'pp', 'fp', 'pp'], 'ppppp', []],
    ['fails with the second in a row, once', ['pp', 'fp', 'fp', 'fp', 'fp'], 'ppfff', ['health.failed a']],
    ['counts each check for itself', ['pp', 'fp', 'pf', 'fp', 'pf'], 'ppppp', []],
    ['is not told of a second check that fails', ['pp', 'fp', 'fp', 'ff', 'ff'], 'ppfff', ['health.failed a']],
    ['tells of all that fail', ['pp', 'ff', 'ff'], 'ppf', ['health.failed a b']],
    ['recovers with one good run', ['pp', 'fp', 'fp', 'pp'], 'ppfp', ['health.failed a', 'health.recovered a']],
    ['recovers from what was known from the beginning', ['fp', 'fp', 'pp'], 'ufp', ['health.recovered a']],
    [
      'recovers when all do, and tells of all that had failed',
      ['pp', 'ff', 'ff', 'pf', 'pf', 'pp'],
      'ppfffp',
      ['health.failed a b', 'health.recovered a b'],
    ],
    [
      'has not recovered while another failure waits for its second',
      ['pp', 'fp', 'fp', 'pf', 'pf', 'pp'],
      'ppfffp',
      ['health.failed a', 'health.recovered a b'],
    ],
    [
      'recovers when what failed does not apply any more',
      ['pp', 'fp', 'fp', 'sp'],
      'ppfp',
      ['health.failed a', 'health.recovered a'],
    ],
    ['keeps a check as it was that could not be told', ['pp', 'fp', '-p', 'fp', '-p'], 'pppff', ['health.failed a']],
    ['is not kept from recovering by what is told no more', ['fp', 'fp', 'pf', 'p-'], 'uffp', ['health.recovered a']],
    [
      'fails and recovers again and again',
      ['pp', 'fp', 'fp', 'pp', 'fp', 'fp', 'pp'],
      'ppfppfp',
      ['health.failed a', 'health.recovered a', 'health.failed a', 'health.recovered a'],
    ],
  ];
  for (const [what, runs, health, events] of table) {
    it(what, () => {
      const { decisions } = through(runs);
      expect(decisions.map((decision) => decision.health[0]).join('')).to.equal(health);
      const told = decisions.filter(({ event }) => event);
      const words = told.map(({ event, concerned }) => [event, ...concerned.map(({ name }) => name)].join(' '));
      expect(words).to.deep.equal(events);
    });
  }

  it('raises an alert when it begins to fail, keeps it up to date, and resolves it', () => {
    const { decisions } = through(['fp', 'fp', 'fp', 'pp', 'pp', 'fp', 'fp']);
    const alerts = decisions.map(({ alert }) => alert);
    expect(alerts).to.deep.equal([null, 'raise', 'update', 'resolve', null, null, 'raise']);
  });

  it('says since when each check is as it is, and what was seen once', () => {
    const { decisions } = through(['pp', 'pp', 'fp', 'fp', 'fp', 'wp']);
    const shown = decisions.map(({ checks: [check] }) => [check?.status, check?.since?.getTime(), check?.message]);
    expect(shown).to.deep.equal([
      ['pass', minute(0).getTime(), 'a p'],
      ['pass', minute(0).getTime(), 'a p'],
      ['pass', minute(0).getTime(), 'Failed once; the check fails if the next run fails too: a f'],
      ['fail', minute(3).getTime(), 'a f'],
      ['fail', minute(3).getTime(), 'a f'],
      ['warn', minute(5).getTime(), 'a w'],
    ]);
  });

  describe('with runs at the same time', () => {
    const after = (letters: string[]) => through(letters).state;
    const overlapping = (state: HealthState, letters: string) =>
      decideHealth(state, { results: resultsOf(letters), startedAt: minute(-1) }, minute(9));

    it('counts them as one', () => {
      expect(overlapping(after(['pp', 'fp']), 'fp').health).to.equal('passing');
      const first = overlapping(after(['pp']), 'fp');
      expect([first.health, first.checks[0]?.failures]).to.deep.equal(['passing', 1]);
    });

    it('does not believe the one that says that all is well', () => {
      const decision = overlapping(after(['pp', 'fp', 'fp']), 'pp');
      expect([decision.health, decision.event]).to.deep.equal(['failing', null]);
    });

    it('counts on after a clock that was set back', () => {
      const state = { ...after(['pp', 'fp']), ranAt: minute(1000) };
      const decision = decideHealth(state, { results: resultsOf('fp'), startedAt: minute(3) }, minute(4));
      expect(decision.health).to.equal('failing');
    });
  });
});
