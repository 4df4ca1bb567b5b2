// stores: each
import { expect } from 'chai';
import type { Click } from '../../../src/clicks/click.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { collectTraffic } from '../../../src/clicks/collectTraffic.ts';
import { database } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { sameUuid } from '../../../src/kernel/ids.ts';
import { signals } from '../../../src/kernel/signals.ts';
import { deleteLinks } from '../../../src/links/deleteLinks.ts';
import { Event } from '../../../src/models/Event.ts';
import type { Project } from '../../../src/models/Project.ts';
import { setLinkTags } from '../../../src/tags/linkTagStore.ts';
import { makeClick, makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('collecting clicks', () => {
  const now = Date.parse('2026-11-01T12:01:00.000Z');
  let store: OpenStore;
  let project: Project;
  beforeEach(async () => {
    store = await openStore();
    project = await makeProject();
    clock.use({ now: () => now });
  });
  afterEach(async () => {
    clock.reset();
    await store.close();
  });

  const click = (values: Partial<Click> = {}) => makeClick({ projectId: project.id, ...values });
  const heard = (clicks: Click[]) => storeClicks(clicks, { listening: () => true });
  const events = () => Event.findAll({ order: [['id', 'ASC']] });
  const write = (sql: string) => database().transaction((transaction) => database().query(sql, { transaction }));

  it('makes one event of each click, with the link and its tags as they are then', async () => {
    const link = await makeLink(project.id, { slug: 'spring', externalId: 'ext-1' });
    await database().transaction((transaction) => setLinkTags(project.id, link.id, ['b', 'A'], transaction));
    const clicked = click({ linkId: link.id, slug: 'old', rule: 'phones', utm: { source: 'news' } });
    await heard([clicked]);
    expect(await collectTraffic()).to.equal(1);
    const [event] = await events();
    const tags = await query<{ id: string }>('SELECT id FROM tags ORDER BY name_key');
    expect(event).to.include({ type: 'link.clicked', teamId: project.teamId, projectId: project.id, linkId: link.id });
    expect(event).to.include({
      id: sameUuid('evt', clicked.id),
      trafficClass: 'human',
      fannedOutAt: null,
      webhookId: null,
    });
    expect(event?.tagIds).to.deep.equal(tags.map(({ id }) => id));
    expect(event?.createdAt.getTime()).to.equal(now);
    expect(event?.data).to.deep.equal({
      click: {
        id: clicked.id,
        occurred_at: '2026-11-01T12:00:00.000Z',
        traffic_class: 'human',
        country: 'DE',
        region: null,
        city: null,
        platform: 'ios',
        device: 'mobile',
        browser: 'Mobile Safari',
        referrer_host: null,
        language: 'de',
        destination: 'https://example.com',
        rule: 'phones',
        utm: { source: 'news', medium: null, campaign: null, term: null, content: null },
      },
      link: {
        id: link.id,
        domain: 'go.example.com',
        slug: 'spring',
        short_url: 'http://go.example.com:3000/spring',
        external_id: 'ext-1',
        tags: ['A', 'b'],
      },
    });
  });

  it('tells of a deleted link what the click knows', async () => {
    await heard([click({ slug: 'gone', utm: null })]);
    await collectTraffic();
    const [event] = await events();
    expect(event?.data.link).to.include({ slug: 'gone', external_id: null });
    expect(event?.data.link).to.have.property('tags').that.deep.equals([]);
    expect(event?.data.click).to.include({ utm: null });
  });

  it('tells of a link that was deleted meanwhile with the tags that it carried', async () => {
    const link = await makeLink(project.id, { slug: 'spring', externalId: 'ext-1' });
    await database().transaction((transaction) => setLinkTags(project.id, link.id, ['news'], transaction));
    const [tag] = await query<{ id: string }>('SELECT id FROM tags');
    await heard([click({ linkId: link.id, slug: 'spring' })]);
    await inTransaction((transaction) => deleteLinks(project, [link.id], transaction));
    await collectTraffic();
    const clicked = (await events()).find(({ type }) => type === 'link.clicked');
    expect(clicked?.tagIds).to.deep.equal([tag?.id]);
    expect(clicked?.data.link).to.deep.include({ id: link.id, external_id: 'ext-1', tags: ['news'] });
  });

  it('leaves alone what nobody waits for, and collects nothing twice', async () => {
    await heard([click(), click({ trafficClass: 'prefetch' })]);
    await storeClicks([click()], { listening: () => false });
    expect(await collectTraffic()).to.equal(1);
    expect(await collectTraffic()).to.equal(0);
    await write('UPDATE clicks SET uncollected = true');
    await collectTraffic();
    expect(await events()).to.have.length(3);
  });

  it('makes no event for a project that is gone', async () => {
    await heard([click({ projectId: 'prj_gone' })]);
    expect(await collectTraffic()).to.equal(1);
    expect(await events()).to.have.length(0);
    expect(await collectTraffic()).to.equal(0);
  });

  it('collects any number of clicks, also in several processes at once, and tells the relay', async () => {
    const clicks = Array.from({ length: 1300 }, (_, n) => click({ visitor: `v${n}`, occurredAt: now - n }));
    await heard(clicks);
    let told = 0;
    const off = signals.on('outbox', () => told++);
    const counts = await Promise.all([collectTraffic(), collectTraffic(), collectTraffic()]);
    off();
    expect(counts.reduce((sum, count) => sum + count)).to.equal(1300);
    const ids = (await events()).map(({ id }) => id);
    expect(ids).to.deep.equal(clicks.map(({ id }) => sameUuid('evt', id)).sort());
    expect(told).to.be.at.least(3);
    expect(await query('SELECT id FROM clicks WHERE uncollected = :yes', { yes: true })).to.deep.equal([]);
  });

  it('looks up waiting clicks in an index of their own', async () => {
    await heard([click()]);
    const plan = await query(
      `EXPLAIN ${database().getDialect() === 'sqlite' ? 'QUERY PLAN' : ''}
       SELECT id FROM clicks WHERE uncollected = :yes ORDER BY occurred_at LIMIT 500`,
      { yes: true },
    );
    if (database().getDialect() === 'sqlite') expect(JSON.stringify(plan)).to.include('clicks_occurred_at');
  });
});
