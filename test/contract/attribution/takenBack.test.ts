// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { collectAppActivity } from '../../../src/attribution/collectAppActivity.ts';
import { query } from '../../../src/db/query.ts';
import { clock } from '../../../src/kernel/clock.ts';
import type { MadeLink } from '../../support/createLink.ts';
import { useInstalls } from '../../support/installs.ts';
import { expectMatch, expectNone, newAddress, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

describe('a guess whose click brings its token elsewhere', () => {
  const { world, mine, sdk, makeLink, show, explain } = useInstalls();
  let link: MadeLink;
  let from: string;

  beforeEach(async () => {
    link = await makeLink();
    from = newAddress();
  });
  afterEach(() => clock.reset());

  const tokenOf = (clickId: string, to = link) => {
    const claims = { clickId, projectId: mine().projectId, linkId: to.id };
    return `svc_click=${issueClickToken(claims, clock.now())}`;
  };
  /** Clicks on the link, the oldest first, once they are in the store. */
  const clicksOn = async ({ id }: MadeLink) => {
    await sdk().open({}, { from: newAddress() });
    return (await query<{ id: string }>('SELECT id FROM clicks WHERE link_id = :id ORDER BY id', { id })).map(
      (click) => click.id,
    );
  };
  const guess = async () => {
    const installId = randomUUID();
    expectMatch(await sdk().open({ install_id: installId }, { from }), 'probabilistic', link);
    return installId;
  };
  const countOf = async (event: string) => {
    const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    const range = { start: new Date(today - DAY_MS).toISOString(), end: new Date(today + DAY_MS).toISOString() };
    const query = new URLSearchParams({ event, link: link.id, ...range });
    const { status, body } = await mine().api('GET', `/analytics?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.total.count;
  };

  it('is taken back, and its figures with it; the token has the click, once', async () => {
    const now = stopClock();
    await visit(world(), link, { from });
    const guessed = await guess();
    await sdk().event({ install_id: guessed, name: 'purchase' });
    const [clickId = ''] = await clicksOn(link);
    expect([(await show(guessed)).match_revised_at, (await show(guessed)).click_id]).to.deep.equal([null, clickId]);
    expect(await Promise.all(['install', 'app_event'].map(countOf))).to.deep.equal([1, 1]);

    now.move(60);
    const honest = randomUUID();
    const body = { install_id: honest, clipboard: tokenOf(clickId) };
    expectMatch(await sdk().open(body, { from: newAddress() }), 'clipboard', link);

    const revised = await show(guessed);
    expect(revised).to.deep.include({
      match_revised_at: new Date(now.nowMs).toISOString(),
      click_id: null,
      link_id: null,
    });
    expect(revised.match).to.deep.equal({
      ...{ matched: false, method: 'none', confidence: 0, score: null, guaranteed: false, clicked_at: null },
      factors: [{ name: 'guess_taken_back', points: 0 }],
    });
    const report = await explain(guessed);
    expect(report).to.deep.include({ match: revised.match, match_revised_at: revised.match_revised_at, link_id: null });
    expect(report.why).to.include('token');
    expect(report.candidates).to.have.length(1);
    expect(await Promise.all(['install', 'app_event'].map(countOf))).to.deep.equal([1, 0]);
    expect(await show(honest)).to.deep.include({ link_id: link.id, click_id: clickId, match_revised_at: null });

    // A repeat says what holds now, and later events are nobody's.
    expectNone(await sdk().open({ install_id: guessed }, { from }), 'guess_taken_back');
    await sdk().event({ install_id: guessed, name: 'purchase' });
    expect(await countOf('app_event')).to.equal(0);
    const repeat = await sdk().open(body, { from });
    expectMatch(repeat, 'clipboard', link);
    expectNone(await sdk().open({ clipboard: tokenOf(clickId) }, { from: newAddress() }), 'token_used');
  });

  it('sends no event again: what was told stays told', async () => {
    await visit(world(), link, { from });
    const guessed = await guess();
    const [clickId = ''] = await clicksOn(link);
    const events = async () => {
      await collectAppActivity();
      const { body } = await mine().api('GET', '/events?limit=100');
      return body.data.filter(({ type, data }: { type: string; data: { install?: { install_id: string } } }) => {
        return type.startsWith('app.') && JSON.stringify(data).includes(guessed);
      });
    };
    const before = await events();
    await sdk().open({ clipboard: tokenOf(clickId) }, { from: newAddress() });
    expect(await events()).to.deep.equal(before);
  });

  it('is made by one of two tokens that come at once', async () => {
    await visit(world(), link, { from });
    const guessed = await guess();
    const [clickId = ''] = await clicksOn(link);
    const token = tokenOf(clickId);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => sdk().open({ clipboard: token }, { from: newAddress() })),
    );
    expect(replies.filter(({ body }) => body.match.matched)).to.have.length(1);
    for (const { body } of replies) if (!body.match.matched) expect(body.match.factors[0].name).to.equal('token_used');
    expect((await show(guessed)).match.method).to.equal('none');
  });

  it('is taken back too where the token is of another click of the visitor, which went with the guess', async () => {
    for (let times = 0; times < 2; times += 1) await visit(world(), link, { from });
    const guessed = await guess();
    const [sibling = ''] = await clicksOn(link);
    expectMatch(await sdk().open({ clipboard: tokenOf(sibling) }, { from: newAddress() }), 'clipboard', link);
    expect((await show(guessed)).match.method).to.equal('none');
  });

  it('is none where a token retired the click as that of the same visitor: both tokens hold', async () => {
    for (let times = 0; times < 2; times += 1) await visit(world(), link, { from });
    const [one = '', other = ''] = await clicksOn(link);
    const first = randomUUID();
    expectMatch(await sdk().open({ install_id: first, clipboard: tokenOf(one) }, { from }), 'clipboard', link);
    expectMatch(await sdk().open({ clipboard: tokenOf(other) }, { from }), 'clipboard', link);
    expect(await show(first)).to.deep.include({ click_id: one, match_revised_at: null });
    expectNone(await sdk().open({ clipboard: tokenOf(other) }, { from }), 'token_used');
  });

  it('is confirmed by a token of its own install', async () => {
    await visit(world(), link, { from });
    const guessed = await guess();
    const [clickId = ''] = await clicksOn(link);
    const url = `myapp://p?${tokenOf(clickId)}`;
    expectMatch(await sdk().open({ install_id: guessed, first_open: false, url }, { from }), 'link', link);
    expect(await show(guessed)).to.deep.include({ click_id: clickId, match_revised_at: null });
    expectNone(await sdk().open({ clipboard: tokenOf(clickId) }, { from: newAddress() }), 'token_used');
  });

  it('is forgotten with its install: the token holds all the same', async () => {
    await visit(world(), link, { from });
    const guessed = await guess();
    const [clickId = ''] = await clicksOn(link);
    expect((await mine().api('DELETE', `/installs/${guessed}`)).status).to.equal(204);
    expectMatch(await sdk().open({ clipboard: tokenOf(clickId) }, { from: newAddress() }), 'clipboard', link);
  });
});

describe('visitors after days in which the host slept', () => {
  const { world, sdk, makeLink } = useInstalls();

  // Others share the product, and it reads the keys of today again after the first click.
  after(async () => {
    clock.reset();
    const link = await makeLink();
    await until(async () => {
      const from = newAddress();
      await visit(world(), link, { from });
      return (await sdk().open({}, { from })).body.match.matched;
    }, 'the visitor key of today');
  });

  it('are found by the first click', async () => {
    const now = stopClock();
    const link = await makeLink();
    now.move(3 * 86_400);
    const from = newAddress();
    await visit(world(), link, { from });
    now.move(60);
    expectMatch(await sdk().open({}, { from }), 'probabilistic', link);
  });
});
