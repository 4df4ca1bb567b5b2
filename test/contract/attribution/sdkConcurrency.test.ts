// stores: each
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { query } from '../../../src/db/query.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Reply } from '../../support/api.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { expectMatch, IPHONE, newAddress, type Sdk, sdkOf, startSdkWorld, visit } from '../../support/sdk.ts';
import { firstTenant, type Tenant } from '../../support/tenants.ts';
import type { World } from '../../support/world.ts';

const INSTALLS = 100;

describe('a hundred installs at once', () => {
  let world: World;
  let mine: Tenant;
  let sdk: Sdk;
  let link: MadeLink;

  before(async () => {
    world = await startSdkWorld({ MATCH_SHARED_VISITORS: '20' });
    mine = await firstTenant(world);
    sdk = await sdkOf(mine);
  });
  after(() => world.stop());
  beforeEach(async () => {
    link = await createLink(mine.api, { destination: 'https://www.example.com/' });
  });

  /** First openings of as many installs. Gives those that were matched, after a look at all. */
  const openAll = async (open: (at: number) => Promise<Reply>, method: string) => {
    const replies = await Promise.all(Array.from({ length: INSTALLS }, (_, at) => open(at)));
    const matched = replies.filter(({ body }) => body.match.matched);
    for (const reply of matched) expectMatch(reply, method, link);
    for (const { status, body } of replies) {
      expect(status, JSON.stringify(body)).to.equal(200);
      if (!body.match.matched) expect([body.match.method, body.link]).to.deep.equal(['none', null]);
    }
    expect(new Set(replies.map(({ body }) => body.open_id)).size).to.equal(INSTALLS);
    return matched;
  };
  /** Clicks that the openings of the link were traced back to. */
  const usedClicks = async () =>
    (await query<{ click_id: string }>('SELECT click_id FROM opens WHERE link_id = :id', { id: link.id })).map(
      ({ click_id }) => click_id,
    );
  const spread = (at: number) => (at % 2 ? newAddress() : `2001:db8:9:${at}::1`);

  it('share one click from their address: one of them is matched', async () => {
    const from = newAddress();
    await visit(world, link, { from });
    expect(await openAll(() => sdk.open({}, { from }), 'probabilistic')).to.have.length(1);
    expect(await usedClicks()).to.have.length(1);
  });

  it('share a token, from as many addresses: one of them is matched', async () => {
    const claims = { clickId: newId('clk'), projectId: mine.projectId, linkId: link.id };
    const install_referrer = `svc_click=${issueClickToken(claims, Date.now())}`;
    const open = (at: number) => sdk.open({ install_referrer }, { from: spread(at) });
    expect(await openAll(open, 'referrer')).to.have.length(1);
    expect(await usedClicks()).to.deep.equal([claims.clickId]);
  });

  it('share a token in whatever brings it: one of them is matched', async () => {
    const claims = { clickId: newId('clk'), projectId: mine.projectId, linkId: link.id };
    const text = `svc_click=${issueClickToken(claims, Date.now())}`;
    const fields = [{ clipboard: text }, { install_referrer: text }, { url: `myapp://p?${text}`, first_open: false }];
    const replies = await Promise.all(
      Array.from({ length: INSTALLS }, (_, at) => sdk.open(fields[at % 3], { from: spread(at) })),
    );
    expect(replies.filter(({ body }) => body.match.matched)).to.have.length(1);
    expect(await usedClicks()).to.deep.equal([claims.clickId]);
  });

  it('have four clicks by four visitors between them: four are matched, each to a click of its own', async () => {
    const from = newAddress();
    for (let at = 0; at < 4; at += 1) {
      const headers = { ...IPHONE.headers, 'User-Agent': `${IPHONE.headers['User-Agent']} B/${at}` };
      await visit(world, link, { from, phone: { ...IPHONE, headers } });
    }
    expect(await openAll(() => sdk.open({}, { from }), 'probabilistic')).to.have.length(4);
    expect(new Set(await usedClicks()).size).to.equal(4);
  });

  it('bring a token, and find the same click by comparing: one that brings it has it', async () => {
    const from = newAddress();
    await visit(world, link, { from });
    // The click is in the store once somebody elsewhere has opened an app for the first time.
    await sdk.open({}, { from: newAddress() });
    const [click] = await query<{ id: string }>('SELECT id FROM clicks WHERE link_id = :id', { id: link.id });
    const claims = { clickId: click?.id ?? '', projectId: mine.projectId, linkId: link.id };
    const clipboard = `svc_click=${issueClickToken(claims, Date.now())}`;
    const replies = await Promise.all(
      Array.from({ length: INSTALLS }, (_, at) =>
        at % 2 ? sdk.open({ clipboard }, { from: newAddress() }) : sdk.open({}, { from }),
      ),
    );
    // A guess that came before the token was taken back.
    const methods = replies.flatMap(({ body }) => (body.match.matched ? body.match.method : [])).sort();
    expect(methods.slice(0, 1)).to.deep.equal(['clipboard']);
    expect(methods.length).to.be.at.most(2);
    expect(await usedClicks()).to.deep.equal([click?.id]);
  });

  it('are opened by its URL: all of them are, and each is a click', async () => {
    const url = `${world.origin}/${link.slug}`;
    expect(await openAll((at) => sdk.open({ url }, { from: spread(at) }), 'link')).to.have.length(INSTALLS);
    expect((await mine.api('GET', `/links/${link.id}`)).body.clicks).to.equal(INSTALLS);
    expect(new Set(await usedClicks()).size).to.equal(INSTALLS);
  });
});
