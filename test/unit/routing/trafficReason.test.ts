// stores: none
import { expect } from 'chai';
import { limitParserCost } from '../../../src/routing/agent.ts';
import { TRAFFIC_REASONS, type TrafficReason } from '../../../src/routing/trafficReason.ts';
import { parseVisitor, type VisitorHeaders } from '../../../src/routing/visitor.ts';
import { PEOPLE, PREVIEWS, PROGRAMS, SCANNERS } from './agents.ts';

const BROWSER = PEOPLE[0] as string;
const PREVIEW = PREVIEWS[0] as string;
const SCANNER = SCANNERS[0] as string;

const AGENTS: [kind: string, agents: string[], reason: TrafficReason | null][] = [
  ['people', PEOPLE, null],
  ['fetchers of previews', PREVIEWS, 'preview agent'],
  ['scanners', SCANNERS, 'scanner agent'],
  ['programs', PROGRAMS, 'agent'],
];

describe('agents', () => {
  for (const [kind, agents, reason] of AGENTS) {
    for (const userAgent of agents) {
      it(`of ${kind}: ${userAgent.slice(-70)}`, () => {
        const visitor = parseVisitor({ userAgent }, 'GET');
        expect(visitor.trafficReason).to.equal(reason);
        expect(visitor.trafficClass).to.equal(reason === null ? 'human' : TRAFFIC_REASONS[reason].class);
        expect(visitor.isPreviewFetcher).to.equal(reason === 'preview agent');
      });
    }
  }
});

/** Everything that holds at once, first what is noted. */
const ORDER: [what: string, headers: VisitorHeaders, method: string, isScanner: boolean, TrafficReason | null][] = [
  ['HEAD', { userAgent: PREVIEW, secPurpose: 'prefetch' }, 'HEAD', true, 'head'],
  ['HEAD without an agent', {}, 'HEAD', false, 'head'],
  ['a purpose', { userAgent: PREVIEW, secPurpose: 'prefetch' }, 'GET', true, 'sec-purpose'],
  ['a purpose without an agent', { purpose: 'prefetch' }, 'GET', false, 'sec-purpose'],
  ['no agent', {}, 'GET', true, 'no agent'],
  ['previews', { userAgent: `${PREVIEW} ${SCANNER}` }, 'GET', true, 'preview agent'],
  ['scanners', { userAgent: `${SCANNER} Googlebot` }, 'GET', true, 'scanner agent'],
  ['programs', { userAgent: 'curl/8.9.1' }, 'GET', true, 'agent'],
  ['a network', { userAgent: BROWSER }, 'GET', true, 'scanner network'],
  ['a form', { userAgent: BROWSER }, 'POST', false, null],
];

const PURPOSES: [VisitorHeaders, boolean][] = [
  [{ secPurpose: 'prefetch' }, true],
  [{ secPurpose: 'prefetch;prerender' }, true],
  [{ secPurpose: ' Prefetch; anonymous-client-ip' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ purpose: 'preview' }, true],
  [{ xPurpose: 'preview' }, true],
  [{ xMoz: 'prefetch' }, true],
  [{ secPurpose: 'prefetching' }, false],
  [{ secPurpose: 'navigate' }, false],
  [{ secPurpose: '' }, false],
  [{ purpose: 'no prefetch' }, false],
];

describe('the reason of a click', () => {
  for (const [what, headers, method, isScanner, reason] of ORDER) {
    it(`is the first that holds: ${what}`, () => {
      expect(parseVisitor(headers, method, isScanner).trafficReason).to.equal(reason);
    });
  }

  for (const [headers, isAhead] of PURPOSES) {
    it(`${isAhead ? 'is' : 'is not'} the purpose for ${JSON.stringify(headers)}`, () => {
      const { trafficClass } = parseVisitor({ userAgent: BROWSER, ...headers }, 'GET');
      expect(trafficClass).to.equal(isAhead ? 'prefetch' : 'human');
    });
  }

  it('keeps recognizing a fetcher of previews with HEAD', () => {
    expect(parseVisitor({ userAgent: PREVIEW }, 'HEAD').isPreviewFetcher).to.equal(true);
  });
});

describe('the bounded User-Agent for the parser', () => {
  it('is the whole header of every real browser', () => {
    for (const agent of PEOPLE) expect(limitParserCost(agent)).to.equal(agent);
  });

  it('is as much of a hostile header as the parser can read quickly', () => {
    const android = limitParserCost('Droid 1; a '.repeat(40));
    expect(android.match(/oid/gi)).to.have.length(3);
    expect(limitParserCost('1.qbcore/1hphbbtv'.repeat(30)).length).to.be.below(40);
    expect(limitParserCost(`qbcore/${'1.'.repeat(250)} microm`).length).to.be.at.most(107);
  });

  it('never reaches the parser’s own rule for Naver', () => {
    expect(parseVisitor({ userAgent: `Mozilla/5.0 NAVER(${'1.'.repeat(40)}` }, 'GET').browser).to.equal('NAVER');
  });
});
