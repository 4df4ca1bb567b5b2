// stores: each
import { expect } from 'chai';
import { signals } from '../../../src/kernel/signals.ts';
import { AGENTS } from '../../support/agents.ts';
import { type Api, apiOf } from '../../support/api.ts';
import { type Child, freePort, startChild } from '../../support/child.ts';
import { makeStore, type Store } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

type Shown = { id: string; domain: string; slug: string; clicks: number };

/** Statuses of so many requests at once, by their number. */
async function followAtOnce(origin: string, slug: string, times: number, agent = AGENTS.human) {
  const headers = { 'User-Agent': agent };
  const asked = Array.from({ length: times }, async () => {
    const response = await fetch(`${origin}/${slug}`, { headers, redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  });
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(asked)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function create(api: Api, body: object): Promise<Shown> {
  const { status, body: link } = await api('POST', '/links', { destination: 'https://example.com/', ...body });
  expect(status).to.equal(201);
  return link;
}

describe('links with a click limit', () => {
  const world = useWorld();

  const follow = (slug: string, times: number, agent?: string) => followAtOnce(world.origin, slug, times, agent);
  const shown = async ({ id }: Shown): Promise<Shown> => (await world.api('GET', `/links/${id}`)).body;
  const untilStored = (link: Shown, clicks: number) =>
    until(async () => (await shown(link)).clicks === clicks, `${clicks} clicks in the store`);

  it('60 people at once on a limit of 20: 20 are redirected, 40 see that it has expired', async () => {
    const link = await create(world.api, { slug: 'twenty', click_limit: 20 });
    expect(await follow('twenty', 60)).to.deep.equal({ 302: 20, 410: 40 });
    await untilStored(link, 20);
    expect(await follow('twenty', 3)).to.deep.equal({ 410: 3 });
    expect((await shown(link)).clicks).to.equal(20);
  });

  it('is exact while clicks move to the store and the link is edited and forgotten', async () => {
    const link = await create(world.api, { slug: 'waves', click_limit: 50 });
    const { domain } = link;
    let sentOn = 0;
    for (let wave = 0; wave < 12; wave += 1) {
      const wait = wave % 3;
      const [counts] = await Promise.all([
        follow('waves', 10),
        wait === 0 ? world.api('PATCH', `/links/${link.id}`, { title: `Wave ${wave}` }) : null,
        wait === 1 ? signals.emit('link', `${domain}/waves`) : null,
        wait === 2 ? until(async () => (await shown(link)).clicks >= sentOn, 'the clicks before in the store') : null,
      ]);
      sentOn += counts[302] ?? 0;
      expect(sentOn).to.equal(Math.min(50, (wave + 1) * 10));
    }
    await untilStored(link, 50);
  });

  it('counts people from before it got its limit, and lets more pass when the limit is raised', async () => {
    const link = await create(world.api, { slug: 'later' });
    expect(await follow('later', 8)).to.deep.equal({ 302: 8 });
    await world.api('PATCH', `/links/${link.id}`, { click_limit: 10 });
    expect(await follow('later', 10)).to.deep.equal({ 302: 2, 410: 8 });
    await world.api('PATCH', `/links/${link.id}`, { click_limit: 13 });
    expect(await follow('later', 10)).to.deep.equal({ 302: 3, 410: 7 });
    await world.api('PATCH', `/links/${link.id}`, { click_limit: null });
    expect(await follow('later', 10)).to.deep.equal({ 302: 10 });
  });

  it('bots, scanners and prefetches do not use it up', async () => {
    const link = await create(world.api, { slug: 'bots', click_limit: 2 });
    for (const agent of [AGENTS.bot, AGENTS.scanner]) expect(await follow('bots', 5, agent)).to.deep.equal({ 302: 5 });
    const headers = { 'User-Agent': AGENTS.human, 'Sec-Purpose': 'prefetch' };
    const prefetch = () => fetch(`${world.origin}/bots`, { headers, redirect: 'manual' });
    for (const _ of [1, 2, 3]) expect((await prefetch()).status).to.equal(302);
    expect(await follow('bots', 5)).to.deep.equal({ 302: 2, 410: 3 });
    expect(await follow('bots', 2, AGENTS.bot)).to.deep.equal({ 410: 2 });
    await untilStored(link, 2);
  });
});

describe('a click limit and kill -9', () => {
  let store: Store;
  let child: Child;

  after(async () => {
    await child?.kill();
    await store?.remove();
  });

  it('counts the clicks that wait in the journal', async function () {
    this.timeout(120_000);
    store = await makeStore();
    const port = await freePort();
    // So that no click reaches the store before the kill.
    const env = { ...store.env, CLICK_DRAIN_MILLISECONDS: '3600000' };
    child = await startChild(port, env);
    const api = apiOf(child.origin, child.secretKey);
    const link = await create(api, { slug: 'killed', click_limit: 20 });
    expect(await followAtOnce(child.origin, 'killed', 12)).to.deep.equal({ 302: 12 });
    await child.kill();
    child = await startChild(port, { ...env, CLICK_DRAIN_MILLISECONDS: '50' });
    expect(await followAtOnce(child.origin, 'killed', 60)).to.deep.equal({ 302: 8, 410: 52 });
    await until(async () => (await api('GET', `/links/${link.id}`)).body.clicks === 20, 'all clicks in the store');
    expect(await followAtOnce(child.origin, 'killed', 5)).to.deep.equal({ 410: 5 });
  });
});
