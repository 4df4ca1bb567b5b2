// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AddressFacts,
  type Candidate,
  chooseClick,
  clickOnLink,
  MARGIN,
  siblingsOf,
  type Verdict,
} from '../../../src/attribution/decide/chooseClick.ts';
import type { DeviceFacts } from '../../../src/attribution/decide/compareDevices.ts';
import { THRESHOLD } from '../../../src/attribution/decide/score.ts';
import type { MatchClick } from '../../../src/clicks/matchClickStore.ts';

const AT = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

const DEVICE: DeviceFacts = {
  platform: 'ios',
  osVersion: '18.6',
  deviceModel: 'iPhone17,3',
  language: 'de-DE',
  timezone: 'Europe/Berlin',
  screen: null,
  openedAt: AT,
};

/** A click a minute ago that fits the device in all that browsers tell. */
function clickOf(more: Partial<MatchClick> = {}): MatchClick {
  return {
    clickId: 'clk_1',
    linkId: 'lnk_1',
    visitor: 'visitor-1',
    clickedAt: AT - 60_000,
    platform: 'ios',
    osVersion: '18.6',
    deviceModel: 'iPhone',
    language: 'de-de',
    country: 'DE',
    timezone: null,
    screen: null,
    usedBy: null,
    ...more,
  };
}

function candidateOf(click: Partial<MatchClick> = {}, more: Partial<Candidate> = {}): Candidate {
  return { click: clickOf(click), windowMs: HOUR_MS, linkState: 'good', ...more };
}

const OWN: AddressFacts = { isShared: false, countOthers: () => 0 };
const SHARED: AddressFacts = { isShared: true, countOthers: () => 0 };

/** Of each click its verdict, by its id. */
function verdictsOf(candidates: Candidate[], address = OWN): Record<string, Verdict> {
  const { scored } = chooseClick(candidates, DEVICE, address);
  return Object.fromEntries(scored.map(({ click, verdict }) => [click.clickId, verdict]));
}

describe('choosing the click that led to an app', () => {
  it('takes the one that fits, and none without clicks', () => {
    const { chosen, margin, scored } = chooseClick([candidateOf()], DEVICE, OWN);
    expect([chosen?.click.clickId, chosen?.score, chosen?.verdict, margin]).to.deep.equal([
      'clk_1',
      126,
      'matched',
      null,
    ]);
    expect(scored).to.deep.equal([chosen]);
    expect(chooseClick([], DEVICE, OWN)).to.deep.equal({ chosen: null, margin: null, scored: [] });
  });

  it('says what keeps a click out', () => {
    const table: [Verdict, Partial<MatchClick>, Partial<Candidate>?][] = [
      ['used', { usedBy: 'somebody' }],
      ['used', { usedBy: '' }],
      ['other_platform', { platform: 'android' }],
      ['outside_window', { clickedAt: AT - HOUR_MS - 1 }],
      ['matched', { clickedAt: AT - HOUR_MS }],
      ['matched', { clickedAt: AT }],
      // Clocks of several processes differ.
      ['matched', { clickedAt: AT + 5000 }],
      ['outside_window', { clickedAt: AT + 5001 }],
      ['link_gone', {}, { linkState: 'gone' }],
      ['link_flagged', {}, { linkState: 'flagged' }],
      ['not_a_person', {}, { obstacle: 'not_a_person' }],
      ['below_threshold', { osVersion: '17.0' }],
      ['used', { usedBy: 'somebody', platform: 'android', clickedAt: 0 }, { linkState: 'gone' }],
    ];
    for (const [verdict, click, more] of table)
      expect(verdictsOf([candidateOf(click, more)]), JSON.stringify([click, more])).to.deep.equal({ clk_1: verdict });
  });

  it('needs 70 points, which an address that many share does not leave', () => {
    expect(verdictsOf([candidateOf()], SHARED)).to.deep.equal({ clk_1: 'below_threshold' });
    const scoreOf = (language: string | null, seconds: number) => {
      const click = { osVersion: null, deviceModel: null, country: null, language, clickedAt: AT - seconds * 1000 };
      const { chosen, scored } = chooseClick([candidateOf(click)], DEVICE, OWN);
      return [scored[0]?.score, chosen !== null];
    };
    // Address, platform, language and how long ago, of Chrome's reduced agent: 85 + 5 + 10 - 30.
    expect(scoreOf('de-de', 3600)).to.deep.equal([70, true]);
    expect(scoreOf('de', 3600)).to.deep.equal([70, true]);
    expect(scoreOf('en-us', 1)).to.deep.equal([50, false]);
    expect(scoreOf(null, 60)).to.deep.equal([86, true]);
    expect(scoreOf(null, 3600)).to.deep.equal([60, false]);
    expect(THRESHOLD).to.equal(70);
  });

  it('needs a margin of 10 over the best click on another link, and none over those on the same', () => {
    const minutes = (count: number) => AT - count * 60_000;
    // Points for how long ago: 0 at once, -9 after 3.5 minutes, -10 after 4.5.
    const against = (linkId: string, ago: number) =>
      chooseClick(
        [
          candidateOf({ clickedAt: minutes(0) }),
          candidateOf({ clickId: 'clk_2', linkId, visitor: 'visitor-2', clickedAt: minutes(ago) }),
        ],
        DEVICE,
        OWN,
      );
    expect(against('lnk_2', 4.5)).to.include({ margin: MARGIN }).and.to.have.property('chosen').that.is.not.equal(null);
    const close = against('lnk_2', 3.5);
    expect([close.chosen, close.margin]).to.deep.equal([null, 9]);
    expect(close.scored.map(({ verdict }) => verdict)).to.deep.equal(['ambiguous', 'ambiguous']);
    const same = against('lnk_1', 0);
    expect([same.chosen?.click.clickId, same.margin]).to.deep.equal(['clk_1', null]);
    expect(same.scored.map(({ verdict }) => verdict)).to.deep.equal(['matched', 'less_likely']);
    const unlike = { osVersion: '17.0', clickedAt: minutes(0) };
    const others = [candidateOf(unlike), candidateOf({ ...unlike, linkId: 'lnk_2', clickedAt: minutes(6) })];
    expect(chooseClick(others, DEVICE, OWN)).to.include({ chosen: null, margin: 12 });
  });

  it('takes the newest of several that are as likely, and says of the others that they are good enough', () => {
    // 70 points each.
    const bare = { osVersion: null, deviceModel: null, country: null, clickedAt: AT - HOUR_MS };
    const clicks = [2, 0, 1].map((at) =>
      candidateOf({ ...bare, clickId: `clk_${at}`, visitor: `visitor-${at}`, clickedAt: bare.clickedAt + at }),
    );
    expect(verdictsOf(clicks)).to.deep.equal({ clk_2: 'matched', clk_1: 'less_likely', clk_0: 'less_likely' });
    expect(verdictsOf(clicks.toReversed())).to.deep.equal(verdictsOf(clicks));
  });

  it('takes the last of several links that one visitor followed, whichever they are', () => {
    const at = (seconds: number) => ({ clickId: `clk_${seconds}`, clickedAt: AT - seconds * 1000 });
    const followed = [
      candidateOf({ ...at(30), linkId: 'lnk_1' }),
      candidateOf({ ...at(20), linkId: 'lnk_2' }),
      candidateOf({ ...at(10), linkId: 'lnk_3' }),
    ];
    const last = { clk_10: 'matched', clk_20: 'not_the_last', clk_30: 'not_the_last' };
    expect(verdictsOf(followed)).to.deep.equal(last);
    expect(chooseClick(followed, DEVICE, OWN).margin).to.equal(null);
    // Somebody else's click on another link is a rival, also one who has the same browser and another language.
    const rivals = [
      { linkId: 'lnk_4', visitor: 'visitor-2' },
      { linkId: 'lnk_4', language: 'de-at' },
    ];
    for (const rival of rivals)
      expect(verdictsOf([...followed, candidateOf({ ...at(11), ...rival })])).to.include({ clk_10: 'ambiguous' });
    // A later click that this phone cannot have made hides none.
    const other = candidateOf({ ...at(5), linkId: 'lnk_4', screen: { width: 1, height: 2, scale: 1 } });
    const device = { ...DEVICE, screen: { width: 393, height: 852, scale: 3 } };
    expect(chooseClick([...followed, other], device, OWN).chosen?.click.linkId).to.equal('lnk_3');
  });

  it('knows one visitor over midnight, by the device', () => {
    const midnight = Date.UTC(2026, 10, 21);
    const device = { ...DEVICE, openedAt: midnight + 60_000 };
    const before = candidateOf({ clickedAt: midnight - 1000, visitor: 'hash-of-yesterday' });
    const after = candidateOf({ clickId: 'clk_2', linkId: 'lnk_2', clickedAt: midnight + 1000 });
    expect(chooseClick([before, after], device, OWN)).to.have.nested.include({ 'chosen.click.clickId': 'clk_2' });
  });

  it('is not held up by clicks on other links that cannot be the one', () => {
    const others: [Partial<MatchClick>, Partial<Candidate>?][] = [
      [{ usedBy: 'somebody' }],
      [{ platform: 'android' }],
      [{ clickedAt: AT - 2 * HOUR_MS }],
      [{}, { linkState: 'gone' }],
      [{}, { linkState: 'flagged' }],
      [{}, { obstacle: 'other_address' }],
    ];
    for (const [click, more] of others) {
      const other = candidateOf({ clickId: 'clk_2', linkId: 'lnk_2', ...click }, more);
      const { chosen, margin } = chooseClick([other, candidateOf()], DEVICE, OWN);
      expect([chosen?.click.clickId, margin], JSON.stringify([click, more])).to.deep.equal(['clk_1', null]);
    }
  });

  it('knows the likeliest click on the link that opened the app itself', () => {
    const others = [
      candidateOf({ clickId: 'clk_old', linkId: 'lnk_2', clickedAt: AT - HOUR_MS }),
      candidateOf({ clickId: 'clk_new', linkId: 'lnk_2' }),
      candidateOf({ clickId: 'clk_used', linkId: 'lnk_3', usedBy: 'somebody' }),
      candidateOf({ clickId: 'clk_unlike', linkId: 'lnk_4', osVersion: '17.0' }),
    ];
    const choice = chooseClick([candidateOf({ visitor: 'visitor-2' }), ...others], DEVICE, OWN);
    expect(choice.chosen).to.equal(null);
    const found = ['lnk_1', 'lnk_2', 'lnk_3', 'lnk_4', 'lnk_5'].map((id) => clickOnLink(choice, id)?.clickId ?? null);
    expect(found).to.deep.equal(['clk_1', 'clk_new', null, null, null]);
  });

  it('retires the other clicks of the visitor, also of another day by the same device', () => {
    const midnight = Date.UTC(2026, 10, 21);
    const chosen = clickOf({ clickedAt: midnight + 60_000 });
    const before = { visitor: 'hash-of-yesterday', clickedAt: midnight - 60_000 };
    const table: [isSibling: boolean, Partial<MatchClick>][] = [
      [true, { clickedAt: midnight + 1 }],
      [true, { linkId: 'lnk_2' }],
      [true, { visitor: 'visitor-1', osVersion: '26.0' }],
      [false, { visitor: 'visitor-2', clickedAt: midnight + 1 }],
      [true, before],
      [false, { ...before, osVersion: '18.5' }],
      [false, { ...before, deviceModel: 'iPad' }],
      [false, { ...before, language: 'en-us' }],
      [false, { ...before, platform: 'android' }],
      [false, { usedBy: 'somebody' }],
      [false, { usedBy: '' }],
      [false, { clickId: 'clk_1' }],
    ];
    for (const [isSibling, more] of table) {
      const click = clickOf({ clickId: 'clk_2', ...more });
      expect(siblingsOf(chosen, [chosen, click]), JSON.stringify(more)).to.deep.equal(isSibling ? [click] : []);
    }
  });
});

const candidates = fc.array(
  fc
    .record({
      linkId: fc.constantFrom('lnk_1', 'lnk_2', 'lnk_3'),
      visitor: fc.constantFrom('visitor-1', 'visitor-2', 'visitor-3'),
      secondsAgo: fc.integer({ min: -60, max: 7200 }),
      platform: fc.constantFrom('ios', 'ios', 'ios', 'android', 'windows'),
      osVersion: fc.constantFrom(null, '18.6', '18', '17.4'),
      deviceModel: fc.constantFrom(null, 'iPhone', 'iPad'),
      language: fc.constantFrom(null, 'de-de', 'de', 'en-us'),
      usedBy: fc.constantFrom(null, null, null, '', 'somebody'),
      windowMs: fc.constantFrom(60_000, HOUR_MS, 24 * HOUR_MS),
      linkState: fc.constantFrom('good', 'good', 'good', 'gone', 'flagged'),
    })
    .map(({ secondsAgo, windowMs, linkState, ...click }) =>
      candidateOf({ ...click, clickedAt: AT - secondsAgo * 1000 }, { windowMs, linkState }),
    ),
  { maxLength: 12 },
);
/** Ids as the clicks stand there. */
const numbered = candidates.map((all) =>
  all.map((one, at): Candidate => ({ ...one, click: { ...one.click, clickId: `clk_${at}` } })),
);

describe('choosing, whatever the clicks', () => {
  it('takes no click that was used, is outside of its window, of another platform or of a link that is gone', () => {
    fc.assert(
      fc.property(numbered, fc.boolean(), (given, isShared) => {
        const { chosen, scored } = chooseClick(given, DEVICE, isShared ? SHARED : OWN);
        expect(scored).to.have.length(given.length);
        expect(scored.filter(({ verdict }) => verdict === 'matched')).to.deep.equal(chosen ? [chosen] : []);
        if (!chosen) return;
        const { click, windowMs, linkState, score } = chosen;
        expect([click.usedBy, click.platform, linkState]).to.deep.equal([null, 'ios', 'good']);
        expect(AT - click.clickedAt).to.be.within(-5000, windowMs);
        expect(score).to.be.at.least(THRESHOLD);
      }),
      { numRuns: 500 },
    );
  });

  it('never takes the worse of two, nor one of several links that are as likely', () => {
    fc.assert(
      fc.property(numbered, (given) => {
        const { chosen, scored } = chooseClick(given, DEVICE, OWN);
        const scores = scored.map(({ score }) => score);
        expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
        if (!chosen) return;
        for (const { verdict, score, click } of scored) {
          if (verdict !== 'less_likely' && verdict !== 'below_threshold') continue;
          expect(score).to.be.at.most(chosen.score - (click.linkId === chosen.click.linkId ? 0 : MARGIN));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same in whatever order they come', () => {
    const told = (given: Candidate[]) => {
      const { chosen, margin } = chooseClick(given, DEVICE, OWN);
      return [chosen?.score, chosen?.click.linkId, chosen?.click.clickedAt, margin];
    };
    fc.assert(
      fc.property(
        numbered.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => {
          expect(told(shuffled)).to.deep.equal(told(given));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('one more click takes a match away at most: by being better, or as good on another link', () => {
    fc.assert(
      fc.property(numbered, numbered, (given, [one]) => {
        fc.pre(one !== undefined);
        const before = chooseClick(given, DEVICE, OWN).chosen;
        // The last click of one visitor counts, whether or not it is the best.
        fc.pre(before?.click.visitor !== one?.click.visitor);
        const added = { ...(one as Candidate), click: { ...(one as Candidate).click, clickId: 'clk_added' } };
        const { chosen, scored } = chooseClick([...given, added], DEVICE, OWN);
        if (!before || chosen?.click.clickId === before.click.clickId) return;
        expect(chosen?.click.clickId ?? 'clk_added').to.equal('clk_added');
        const { score = 0, click } = scored.find((each) => each.click.clickId === 'clk_added') ?? {};
        expect(score).to.be.greaterThan(before.score - (click?.linkId === before.click.linkId ? 1 : MARGIN));
      }),
      { numRuns: 500 },
    );
  });
});
