// stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { MARGIN } from '../../../src/attribution/decide/chooseClick.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import type { MadeLink } from '../../support/createLink.ts';
import { useInstalls } from '../../support/installs.ts';
import { IPHONE, newAddress, type Phone, PIXEL, sdkOf, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeTenant } from '../../support/tenants.ts';

const DAY_SECONDS = 86_400;
const SHARED = '203.0.113.7';

/** An iPhone whose browser says something else than all others. */
const iphone = (build: number): Phone => ({
  ...IPHONE,
  headers: { ...IPHONE.headers, 'User-Agent': `${IPHONE.headers['User-Agent']} Build/${build}` },
});
/** One with another system, which does not fit. */
const OLD_IPHONE: Phone = {
  ...IPHONE,
  headers: {
    ...IPHONE.headers,
    'User-Agent': String(IPHONE.headers['User-Agent']).replace('18_1', '16_4').replace('18.1', '16.4'),
  },
};

describe('why an install matched, or did not', () => {
  const { world, mine, sdk, makeLink, show, explain } = useInstalls({ SHARED_NETWORKS: '203.0.113.0/24' });

  const click = (link: MadeLink, from: string, phone = IPHONE) => visit(world(), link, { from, phone });
  const tokenOf = (link: { id: string }, more: { projectId?: string; clickId?: string; at?: number } = {}) => {
    const { projectId = mine().projectId, clickId = newId('clk'), at = Date.now() } = more;
    return issueClickToken({ projectId, clickId, linkId: link.id }, at);
  };

  /** A first opening, and the report of it, which agrees with the answer and with the install. */
  const opened = async (body: object = {}, from = newAddress()) => {
    const installId = randomUUID();
    const { body: answer } = await sdk().open({ install_id: installId, ...body }, { from });
    const [report, install] = await Promise.all([explain(installId), show(installId)]);
    expect(report).to.have.all.keys(
      ...['install_id', 'match', 'click_id', 'link_id', 'why', 'threshold', 'required_margin', 'margin', 'address'],
      ...['tokens', 'device', 'candidates', 'match_revised_at'],
    );
    expect(report.match).to.deep.equal(answer.match);
    expect(install.match).to.deep.equal(answer.match);
    const { click_id, link_id } = install;
    expect(link_id).to.equal(answer.link?.id ?? null);
    expect(report).to.include({ install_id: installId, click_id, link_id, threshold: 70, required_margin: MARGIN });
    for (const { why } of [report, ...report.tokens, ...report.candidates, ...(report.address ? [report.address] : [])])
      expect(why).to.match(/^[A-Z][^_]{15,}[.]$/);
    for (const { score, factors } of report.candidates)
      expect(score).to.equal(factors.reduce((sum: number, { points }: { points: number }) => sum + points, 0));
    const scores = report.candidates.map(({ score }: { score: number }) => score);
    expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
    return report;
  };
  const verdictsOf = ({ candidates }: { candidates: { link_id: string; verdict: string }[] }) =>
    candidates.map(({ verdict }) => verdict);
  const reasonsOf = ({ match }: { match: { factors: { name: string; points: number }[] } }) =>
    match.factors.map(({ name, points }) => [name, points]);

  it('by the click from its address: with the facts of both, and how well they fit', async () => {
    const { nowMs } = stopClock();
    const [link, from] = [await makeLink(), newAddress()];
    await click(link, from);
    const report = await opened({ timezone: 'Europe/Berlin', screen: { width: 393, height: 852, scale: 3 } }, from);
    expect(report).to.deep.include({
      why: 'One click fits: it has at least 70 points, and no click on another link comes close.',
      link_id: link.id,
      margin: null,
      tokens: [],
      device: {
        platform: 'ios',
        os_version: '18.1',
        device_model: 'iPhone17,3',
        language: 'de-DE',
        timezone: 'Europe/Berlin',
        screen: { width: 393, height: 852, scale: 3 },
      },
    });
    expect(report.address).to.deep.equal({ shared: false, why: 'Only a few people seem to share it.', visitors: 1 });
    const [candidate, ...others] = report.candidates;
    expect(others).to.deep.equal([]);
    const clicked_at = new Date(nowMs).toISOString();
    expect(candidate).to.include({ link_id: link.id, click_id: report.click_id, clicked_at, verdict: 'matched' });
    expect(candidate.factors).to.deep.equal(report.match.factors);
  });

  it('by what the device itself told: no clicks are compared', async () => {
    const link = await makeLink();
    const url = (token: string) => `https://go.example.com/${link.slug}?svc_click=${token}`;
    const bodies = {
      link: (token: string) => ({ url: url(token) }),
      referrer: (token: string) => ({ platform: 'android', install_referrer: `utm_source=x&svc_click=${token}` }),
      clipboard: (token: string) => ({ clipboard: url(token) }),
    };
    for (const [source, bodyWith] of Object.entries(bodies)) {
      const report = await opened(bodyWith(tokenOf(link)));
      expect(report).to.deep.include({ link_id: link.id, margin: null, address: null, device: null, candidates: [] });
      expect(report.match.method).to.equal(source);
      expect(report.tokens).to.deep.equal([{ source, accepted: true, problem: null, why: report.why }]);
      const twice = await opened({ clipboard: 'svc_click=x', ...bodyWith(tokenOf(link)) });
      expect(twice.tokens).to.deep.equal(report.tokens);
    }
    const direct = await opened({ url: `http://${config.linkDomain}/${link.slug}` });
    expect(direct).to.deep.include({ link_id: link.id, tokens: [], candidates: [] });
    expect(direct.match.method).to.equal('link');
  });

  it('not by a token that is worth nothing, and by which', async () => {
    const [link, gone, flagged] = [await makeLink(), await makeLink(), await makeLink()];
    await mine().api('DELETE', `/links/${gone.id}`);
    await flagLink(flagged.id, 'harmful');
    const good = tokenOf(link);
    const used = tokenOf(link);
    await sdk().open({ clipboard: `svc_click=${used}` });
    const table: [problem: string, token: string][] = [
      ['token_malformed', good.slice(0, -1)],
      ['token_malformed', ''],
      ['token_forged', good.slice(0, -22) + 'A'.repeat(22)],
      ['token_expired', tokenOf(link, { at: Date.now() - 90 * DAY_SECONDS * 1000 })],
      ['token_foreign', tokenOf(link, { projectId: newId('prj') })],
      ['token_used', used],
      ['link_gone', tokenOf(gone)],
      ['link_flagged', tokenOf(flagged)],
      ['link_gone', tokenOf({ id: newId('lnk') })],
    ];
    for (const [problem, token] of table) {
      const report = await opened({ clipboard: `svc_click=${token}` });
      expect(reasonsOf(report), problem).to.deep.equal([[problem, 0]]);
      expect(report.tokens).to.deep.equal([{ source: 'clipboard', accepted: false, problem, why: report.why }]);
      expect(report).to.deep.include({ link_id: null, device: null, candidates: [], address: null });
    }
    const begun = { install_begin_at: new Date(Date.now() - 600_000).toISOString() };
    const early = await opened({ platform: 'android', install_referrer: `svc_click=${good}`, ...begun });
    expect(reasonsOf(early)).to.deep.equal([['install_before_click', 0]]);
    const both = await opened({ url: 'myapp://x?svc_click=x', clipboard: `svc_click=${good}` });
    expect(reasonsOf(both)).to.deep.equal([
      ['clipboard', 100],
      ['token_malformed', 0],
    ]);
    expect(both.tokens.map(({ source, problem }: Record<string, unknown>) => [source, problem])).to.deep.equal([
      ['link', 'token_malformed'],
      ['clipboard', null],
    ]);
  });

  it('not where clicks must not be compared with the device: its facts are not kept', async () => {
    const [link, from] = [await makeLink(), newAddress()];
    await click(link, from);
    const nothing = { device: null, address: null, tokens: [], candidates: [], click_id: null, margin: null };
    const refused = await opened({ consent: false }, from);
    expect(reasonsOf(refused)).to.deep.equal([['no_consent', 0]]);
    expect(refused).to.deep.include(nothing);
    const onWeb = await opened({ platform: 'web' }, from);
    expect(reasonsOf(onWeb)).to.deep.equal([['platform_web', 0]]);
    expect(onWeb).to.deep.include(nothing);
    await mine().api('PATCH', `/projects/${mine().projectId}`, { probabilistic_matching: false });
    const off = await opened({}, from);
    expect(reasonsOf(off)).to.deep.equal([['probabilistic_off', 0]]);
    expect(off).to.deep.include(nothing);
    const later = randomUUID();
    await sdk().open({ install_id: later, first_open: false }, { from });
    expect(await explain(later)).to.deep.include({
      ...nothing,
      why: 'Only a first opening is traced back to a click.',
    });
  });

  it('not where no click fits, or several do: with each click and what kept it out', async () => {
    const [spring, autumn] = [await makeLink(), await makeLink()];
    const crowd = config.matchSharedVisitors + 1;
    const table: [reason: string, verdicts: string[], (from: string) => Promise<unknown>, from?: string][] = [
      ['no_click', [], async () => {}],
      ['no_click', ['other_platform'], (from) => click(spring, from, PIXEL)],
      ['below_threshold', ['below_threshold'], (from) => click(spring, from, OLD_IPHONE)],
      ['shared_network', ['below_threshold'], () => click(spring, SHARED), SHARED],
      [
        'click_used',
        ['used'],
        async (from) => {
          await click(spring, from);
          await sdk().open({}, { from });
        },
      ],
      [
        'ambiguous',
        ['ambiguous', 'ambiguous'],
        async (from) => {
          await click(spring, from);
          await click(autumn, from, iphone(1));
        },
      ],
      [
        'many_visitors',
        Array(crowd).fill('below_threshold'),
        async (from) => {
          for (let build = 0; build < crowd; build += 1) await click(spring, from, iphone(build));
        },
      ],
    ];
    for (const [reason, verdicts, prepare, from = newAddress()] of table) {
      await prepare(from);
      const report = await opened({}, from);
      expect(reasonsOf(report), reason).to.deep.equal([[reason, 0]]);
      expect(verdictsOf(report), reason).to.deep.equal(verdicts);
      const isShared = reason === 'shared_network' || reason === 'many_visitors';
      expect(report.address).to.include({ shared: isShared });
      if (isShared) expect(report.address.why).to.equal(report.why);
      if (reason === 'many_visitors') expect(report.address.visitors).to.equal(crowd);
      expect(report.margin).to.equal(reason === 'ambiguous' ? 0 : null);
      expect(report.device).to.include({ os_version: '18.1' });
    }
  });

  it('with what became of every click from the address', async () => {
    const time = stopClock();
    const from = newAddress();
    const links: Record<string, MadeLink> = {};
    const wanted = [
      'outside_window',
      'link_gone',
      'link_flagged',
      'used',
      'other_platform',
      'below_threshold',
      'matched',
    ];
    for (const verdict of wanted) {
      links[verdict] = await makeLink(verdict === 'outside_window' ? { match_window_seconds: 60 } : {});
    }
    const follow = (verdict: string, phone = IPHONE) => click(links[verdict] as MadeLink, from, phone);
    await follow('outside_window', iphone(1));
    await follow('link_gone', iphone(1));
    await follow('link_flagged', iphone(1));
    await mine().api('DELETE', `/links/${links.link_gone?.id}`);
    await flagLink(links.link_flagged?.id as string, 'harmful');
    await follow('used', PIXEL);
    await sdk().open(PIXEL.device, { from });
    time.move(61);
    await follow('below_threshold', OLD_IPHONE);
    await follow('other_platform', { ...PIXEL, headers: { 'User-Agent': `${PIXEL.headers['User-Agent']} X` } });
    await follow('matched');
    await follow('matched');
    const report = await opened({}, from);
    const told = report.candidates.map(({ link_id, verdict }: Record<string, string>) => [link_id, verdict]);
    const expected = wanted.map((verdict) => [links[verdict]?.id, verdict]);
    expect(told).to.have.deep.members([...expected, [links.matched?.id, 'not_the_last']]);
    expect(told[0]).to.deep.equal([links.matched?.id, 'matched']);
    expect(report.margin).to.be.at.least(MARGIN);
  });

  it('names twenty clicks at most, the best first', async () => {
    const time = stopClock();
    const [link, from] = [await makeLink(), newAddress()];
    for (let at = 0; at < 25; at += 1) {
      await click(link, from);
      time.move(60);
    }
    const { candidates, click_id, address } = await opened({}, from);
    expect(candidates).to.have.length(20);
    expect(candidates[0]).to.include({ click_id, verdict: 'matched' });
    expect(new Set(candidates.map((one: { click_id: string }) => one.click_id)).size).to.equal(20);
    expect(address.visitors).to.equal(1);
  });

  it('is each of its own project, also with one UUID and one address', async () => {
    const [link, from, installId] = [await makeLink(), newAddress(), randomUUID()];
    await click(link, from);
    const other = await makeTenant(world(), mine().teamId);
    await (await sdkOf(other)).open({ install_id: installId }, { from });
    const { body } = await other.api('GET', `/installs/${installId}/match`);
    expect([reasonsOf(body), body.candidates]).to.deep.equal([[['no_click', 0]], []]);
    await sdk().open({ install_id: installId }, { from });
    expect((await explain(installId)).link_id).to.equal(link.id);
  });
});
