// stores: none
import { expect } from 'chai';
import {
  type Candidate,
  chooseClick,
  clickOnLink,
  MARGIN,
  siblingsOf,
  type Verdict,
} from '../../../src/attribution/decide/chooseClick.ts';
import { THRESHOLD } from '../../../src/attribution/decide/score.ts';
import type { MatchClick } from '../../../src/clicks/matchClickStore.ts';
import { AT, candidateOf, clickOf, DEVICE, HOUR_MS, OWN, SHARED } from '../../support/matchCandidates.ts';

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
