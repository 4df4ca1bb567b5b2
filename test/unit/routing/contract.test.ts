// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { compileLink } from '../../../src/routing/compiledLink.ts';
import { decide } from '../../../src/routing/decide.ts';
import { trace } from '../../../src/routing/trace.ts';
import { parseVisitor } from '../../../src/routing/visitor.ts';
import { generatedLink, generatedVisitor, type Sent } from './generated.ts';
import { type Expected, interpret, type PlainLink, placeOf } from './interpreter.ts';
import { storedLink } from './stored.ts';

const RUNS = 4000;

/** What decided, and the least share of runs: pools that drift apart would leave the comparison without content. */
const LEAST = { rule: 0.25, split: 0.15, destination: 0.15, status: 0.05 };

function compiledFrom(link: PlainLink) {
  const date = (time: string | null) => (time === null ? null : new Date(time));
  return compileLink(
    storedLink({
      destination: link.destination,
      routing: link.routing,
      utm: link.utm,
      flaggedAt: date(link.flagged_at),
      archivedAt: date(link.archived_at),
      startsAt: date(link.starts_at),
      expiresAt: date(link.expires_at),
      expiredDestination: link.expired_destination,
      clickLimit: link.click_limit,
      clicks: link.clicks,
    }),
  );
}

function askedBy({ plain, headers, address }: Sent) {
  const request = { query: plain.query, country: plain.country, addressKey: address, path: plain.more };
  return { visitor: parseVisitor(headers, 'GET'), now: Date.parse(plain.at), request };
}

function decidedBy(expected: Expected): keyof typeof LEAST {
  return expected.kind === 'redirect' ? expected.decidedBy : 'status';
}

describe('whatever the link, the visitor and the request', () => {
  it('the router does what a plain reading of the contract does', () => {
    const counts = { rule: 0, split: 0, destination: 0, status: 0 };
    fc.assert(
      fc.property(generatedLink, generatedVisitor, (link, sent) => {
        const { visitor, now, request } = askedBy(sent);
        const outcome = decide(compiledFrom(link), visitor, now, request);
        const expected = interpret(link, sent.plain);
        counts[decidedBy(expected)] += 1;
        expect(outcome.kind).to.equal(expected.kind);
        if (outcome.kind === 'expired' && expected.kind === 'expired') {
          expect(outcome.destination && placeOf(outcome.destination)).to.deep.equal(expected.place);
        }
        if (outcome.kind !== 'redirect' || expected.kind !== 'redirect') return;
        const found = expected.places.find(({ by }) => by === outcome.rule);
        expect(found, `${outcome.rule} is not what decides`).to.not.equal(undefined);
        expect(placeOf(outcome.destination)).to.deep.equal(found?.place);
        expect(outcome.destination).to.match(/^[\x21-\x7e]+$/);
      }),
      { numRuns: RUNS },
    );
    for (const [what, least] of Object.entries(LEAST)) {
      expect(counts[what as keyof typeof LEAST] / RUNS, `share of ${what}`).to.be.greaterThan(least);
    }
  });

  it('a trace has the outcome of the router, and one step that decided', () => {
    fc.assert(
      fc.property(generatedLink, generatedVisitor, fc.boolean(), (plain, sent, isProtected) => {
        const link = { ...compiledFrom(plain), isProtected };
        const { visitor, now, request } = askedBy(sent);
        const decided = decide(link, visitor, now, request);
        const expected = interpret(plain, sent.plain);
        const { steps, outcome } = trace(link, { visitor, now, request });
        const isAsked = isProtected && decided.kind === 'redirect';
        const destination = 'destination' in decided ? decided.destination : null;
        expect(outcome).to.deep.equal({ kind: isAsked ? 'password' : decided.kind, destination });

        const deciding = steps.filter(({ rule, matched }) => matched && rule !== 'password');
        expect(deciding).to.have.lengthOf(1);
        expect(deciding[0]?.rule).to.be.oneOf(namesOf(expected, plain));
        expect(steps.some(({ rule, matched }) => matched && rule === 'password')).to.equal(isAsked);
        for (const { why } of steps) expect(why).to.match(/^\S.*\.$/);
        const after = steps.slice(steps.indexOf(deciding[0] as (typeof steps)[0]) + 1);
        for (const { why } of after) expect(why).to.match(/^Not checked: /);
      }),
      { numRuns: RUNS / 4 },
    );
  });
});

/** The steps of which one decided. */
function namesOf(expected: Expected, link: PlainLink): string[] {
  if (expected.kind === 'redirect') return expected.places.map(({ by }) => by ?? 'destination');
  if (expected.kind === 'not_found') return [link.archived_at ? 'archived' : 'scheduled'];
  return [expected.kind];
}
