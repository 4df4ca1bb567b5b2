// stores: none
import { expect } from 'chai';
import type { LinkRow } from '../../../src/routing/compiledLink.ts';
import type { StoredConditions } from '../../../src/routing/conditions.ts';
import type { RequestFacts } from '../../../src/routing/decide.ts';
import { type TraceStep, trace } from '../../../src/routing/trace.ts';
import type { Visitor } from '../../../src/routing/visitor.ts';
import { compiled, NOW, visitor } from './stored.ts';

interface Asked {
  who?: Partial<Visitor>;
  request?: Partial<RequestFacts>;
  now?: number;
  isProtected?: boolean;
}

function traced(row: Partial<LinkRow>, { who = {}, request = {}, now = NOW, isProtected = false }: Asked = {}) {
  const link = { ...compiled(row), isProtected };
  const facts = { query: '', country: null, addressKey: 'address', ...request };
  return trace(link, { visitor: visitor(who), now, request: facts });
}

function stepOf({ steps }: { steps: TraceStep[] }, rule: string): TraceStep | undefined {
  return steps.find((step) => step.rule === rule);
}

const RULES = {
  rules: [
    { name: 'german', when: { country: ['DE', 'AT'] }, destination: 'https://de.test/' },
    { when: { platform: ['ios', 'android'] }, destination: 'https://phone.test/' },
    { name: 'last', when: { device: ['mobile'] }, destination: 'https://last.test/' },
  ],
};

describe('a trace', () => {
  it('checks status, rules and destination in this order, and explains each', () => {
    const { steps, outcome } = traced({ routing: RULES }, { who: { platform: 'ios' }, request: { country: 'FR' } });
    expect(outcome).to.deep.equal({ kind: 'redirect', destination: 'https://phone.test/' });
    expect(steps).to.deep.equal([
      { rule: 'flagged', matched: false, why: 'The link is not flagged.' },
      { rule: 'archived', matched: false, why: 'The link is not archived.' },
      { rule: 'scheduled', matched: false, why: 'The link has no start.' },
      { rule: 'expired', matched: false, why: 'The link is neither expired nor over its click limit.' },
      { rule: 'german', matched: false, why: 'country is FR, wanted DE or AT.' },
      { rule: 'rule 2', matched: true, why: 'All conditions hold.' },
      { rule: 'last', matched: false, why: 'Not checked: "rule 2" decided before.' },
      { rule: 'destination', matched: false, why: 'Not checked: "rule 2" decided before.' },
    ]);
  });

  it('ends at the destination if no earlier step decided', () => {
    const found = traced({ routing: RULES });
    expect(found.steps.at(-1)).to.deep.include({ rule: 'destination', matched: true });
    expect(found.outcome).to.deep.equal({ kind: 'redirect', destination: 'https://example.com/' });
  });

  it('names the entry of the split and says that visitors stay on one side', () => {
    const split = [
      { name: 'a', destination: 'https://a.test/', weight: 4 },
      { destination: 'https://b.test/', weight: 1 },
    ];
    const found = traced({ routing: { split } });
    const taken = found.steps.find(({ matched }) => matched) as TraceStep;
    expect(taken.why).to.match(/^The split sends (80|20)% of visitors here\. A visitor stays on one side, by address/);
    expect(found.steps.map(({ rule }) => rule).slice(-3)).to.deep.equal(['a', 'split 2', 'destination']);
    expect(found.outcome.destination).to.equal(taken.rule === 'a' ? 'https://a.test/' : 'https://b.test/');
  });

  it('says that the password comes first, and where it leads', () => {
    const found = traced({ routing: RULES }, { isProtected: true, request: { country: 'DE' } });
    expect(found.outcome).to.deep.equal({ kind: 'password', destination: 'https://de.test/' });
    expect(found.steps.filter(({ matched }) => matched).map(({ rule }) => rule)).to.deep.equal(['password', 'german']);
    const flagged = traced({ flaggedAt: new Date(NOW) }, { isProtected: true });
    expect(flagged.outcome).to.deep.equal({ kind: 'flagged', destination: null });
    expect(stepOf(flagged, 'password')).to.deep.include({ matched: false });
  });
});

const EARLIER = new Date(NOW - 1000);
const LATER = new Date(NOW + 1000);

/** [link, step, why, outcome] */
const STATUSES: [Partial<LinkRow>, string, RegExp, object][] = [
  [{ flaggedAt: EARLIER, archivedAt: EARLIER }, 'flagged', /is flagged/, { kind: 'flagged', destination: null }],
  [{ archivedAt: EARLIER }, 'archived', /is archived/, { kind: 'not_found', destination: null }],
  [{ startsAt: LATER }, 'scheduled', /2026-06-01T00:00:01\.000Z/, { kind: 'not_found', destination: null }],
  [{ expiresAt: EARLIER }, 'expired', /expired at 2026-05-31T23:59:59\.000Z/, { kind: 'expired', destination: null }],
  [
    { clickLimit: 2, clicks: 3, expiredDestination: 'https://late.test/', expiresAt: LATER },
    'expired',
    /3 of 2 clicks/,
    { kind: 'expired', destination: 'https://late.test/' },
  ],
];

describe('a trace of a link that is', () => {
  for (const [row, rule, why, outcome] of STATUSES) {
    it(`${rule}, because ${why.source}`, () => {
      const found = traced({ ...row, routing: RULES }, { request: { country: 'DE' } });
      expect(found.outcome).to.deep.equal(outcome);
      expect(found.steps.filter(({ matched }) => matched).map((step) => step.rule)).to.deep.equal([rule]);
      expect(stepOf(found, rule)?.why).to.match(why);
      expect(stepOf(found, 'german')?.why).to.equal(`Not checked: "${rule}" decided before.`);
    });
  }
});

type When = StoredConditions & { not?: StoredConditions };

/** [condition, visitor, request, why the rule does not match] */
const WHYS: [When, Partial<Visitor>, Partial<RequestFacts>, string][] = [
  [{ platform: ['ios'] }, { platform: 'macos' }, {}, 'platform is macos, wanted ios.'],
  [{ device: ['tablet', 'mobile'] }, {}, {}, 'device is desktop, wanted tablet or mobile.'],
  [{ country: ['DE', 'AT', 'CH'] }, {}, {}, 'country is unknown, wanted DE, AT or CH.'],
  [{ language: ['de'] }, { language: 'fr-ch' }, {}, 'language is fr-ch, wanted de.'],
  [{ referrer_host: ['t.co'] }, { referrerHost: 'x.test' }, {}, 'referrer_host is x.test, wanted t.co.'],
  [{ query: [{ name: 'v', value: '2' }, { name: 'w' }] }, {}, {}, 'query is empty, wanted v=2 or w.'],
  [{ query: [{ name: 'v', value: '2' }] }, {}, { query: 'v=1&a=b' }, 'query has v=1 and a=b, wanted v=2.'],
  [{ query: [{ name: 'v', value: '' }] }, {}, { query: 'v=%0A&a' }, 'query has v=%0A and a=, wanted v=.'],
  [{ not: { query: [{ name: 'v' }] } }, {}, { query: 'v=1' }, 'query has v=1, which not.query excludes (v).'],
  [
    { not: { after: '2026-05-02T00:00:00Z' } },
    {},
    {},
    'the time is 2026-06-01T00:00:00.000Z, which not.after excludes (2026-05-02T00:00:00Z or later).',
  ],
  [
    { after: '2026-06-02T00:00:00Z' },
    {},
    {},
    'the time is 2026-06-01T00:00:00.000Z, wanted 2026-06-02T00:00:00Z or later.',
  ],
  [
    { before: '2026-05-02T00:00:00Z' },
    {},
    {},
    'the time is 2026-06-01T00:00:00.000Z, wanted before 2026-05-02T00:00:00Z.',
  ],
  [
    { platform: ['linux'], not: { referrer_host: ['t.co'] } },
    { referrerHost: 't.co' },
    {},
    'referrer_host is t.co, which not.referrer_host excludes (t.co).',
  ],
  [
    { country: Array.from({ length: 14 }, (_, at) => `A${String.fromCharCode(65 + at)}`) },
    {},
    { country: 'DE' },
    'country is DE, wanted AA, AB, AC, AD, AE, AF, AG, AH, AI, AJ or 4 more.',
  ],
];

describe('a rule that does not match', () => {
  for (const [when, who, request, why] of WHYS) {
    it(why, () => {
      const routing = { rules: [{ name: 'r', when, destination: 'https://r.test/' }] };
      expect(stepOf(traced({ routing }, { who, request }), 'r')).to.deep.equal({ rule: 'r', matched: false, why });
    });
  }
});
