// stores: any
import { expect } from 'chai';
import { raiseAlert } from '../../../src/alerts/raiseAlert.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { Event } from '../../../src/models/Event.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { AGENTS } from '../../support/agents.ts';
import { graphql } from '../../support/graphql.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { joinWorld, type World } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const AUDIENCES = ['team', 'project', 'bots', 'link', 'tag', 'stops', 'neighbours', 'strangers'] as const;
type Audience = (typeof AUDIENCES)[number];
/** Who hears what; whoever is not named hears nothing. */
type Heard = Partial<Record<Audience, string[]>>;

/** The same for several audiences. */
const to = (audiences: Audience[], ...types: string[]): Heard =>
  Object.fromEntries(audiences.map((who) => [who, types]));
const PROJECT: Audience[] = ['team', 'project', 'bots'];
const LINK: Audience[] = [...PROJECT, 'link', 'tag'];

describe('who hears of what', () => {
  let world: World;
  let teamId: string;
  let receivers: Record<Audience, Receiver>;
  let mine: Tenant;
  let neighbours: Tenant;
  let strangers: Tenant;
  /** Ids of the webhooks of all audiences. */
  const hooks: string[] = [];
  /** Has the tag `watched`, and a webhook of its own. */
  let watched: { id: string; slug: string };

  before(async () => {
    world = await joinWorld();
    teamId = (await firstTenant(world)).teamId;
    const started = await Promise.all(AUDIENCES.map(async (who) => [who, await startReceiver()] as const));
    receivers = Object.fromEntries(started) as typeof receivers;
    const mutation =
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id scope { projectId linkId tagId } scopeJson } }';
    const input = { teamId, url: receivers.team.url };
    const { data } = await graphql(world.origin, mutation, { input }, await ownerSession(world));
    const { id, ...shown } = data.createWebhook;
    expect(shown).to.deep.equal({ scope: null, scopeJson: null });
    hooks.push(id);
  });
  after(() => Promise.all([world.stop(), ...AUDIENCES.map((who) => receivers[who].close())]));

  beforeEach(async () => {
    [mine, neighbours, strangers] = await Promise.all([
      makeTenant(world, teamId),
      makeTenant(world, teamId),
      makeTenant(world),
    ]);
    watched = await make({ tags: ['watched'] });
    const tag = await Tag.findOne({ where: { projectId: mine.projectId, name: 'watched' }, rejectOnEmpty: true });
    await listen(mine, 'project');
    await listen(mine, 'bots', { include_bots: true });
    await listen(mine, 'link', { scope: { link_id: watched.id } });
    await listen(mine, 'tag', { scope: { tag_id: tag.id } });
    await listen(mine, 'stops', { event_types: ['link.archived', 'link.flagged'] });
    await listen(neighbours, 'neighbours', { include_bots: true });
    await listen(strangers, 'strangers', { include_bots: true });
  });

  const listen = async ({ api }: Tenant, who: Audience, body: object = {}) => {
    const { status, body: made } = await api('POST', '/webhooks', { url: receivers[who].url, ...body });
    expect(status).to.equal(201);
    hooks.push(made.id);
  };
  const make = async (body: object = {}, { api } = mine) => {
    const reply = await api('POST', '/links', { destination: DESTINATION, ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };
  const change = async (id: string, body: object) => {
    expect((await mine.api('PATCH', `/links/${id}`, body)).status).to.equal(200);
  };
  const follow = (slug: string, headers: Record<string, string>) =>
    fetch(`${world.origin}/${slug}`, { redirect: 'manual', headers });
  const alert = (projectId: string | null, more: object = {}) =>
    inTransaction((transaction) =>
      raiseAlert(transaction, {
        teamId,
        projectId,
        kind: 'billing',
        severity: 'info',
        title: 'T',
        message: 'M',
        incident: newId('alt'),
        ...more,
      }),
    );

  /** Waits until everything that was raised has arrived at the audiences. Webhooks of other tests may wait longer. */
  const settle = () =>
    until(async () => {
      // In the order in which they become each other.
      const clicks = await query('SELECT id FROM clicks WHERE uncollected = :yes', { yes: true });
      const waiting = await Event.count({ where: { fannedOutAt: null } });
      const pending = await Delivery.count({ where: { status: 'pending', webhookId: hooks } });
      return waiting + pending + clicks.length === 0;
    }, 'all deliveries');

  /** What each audience hears of `act` alone. */
  const expectHeard = async (heard: Heard, act: () => Promise<unknown>) => {
    await settle();
    for (const who of AUDIENCES) receivers[who].received.length = 0;
    await act();
    await settle();
    const types = AUDIENCES.map((who) => [who, receivers[who].received.map(({ event }) => event.type).sort()]);
    const expected = AUDIENCES.map((who) => [who, [...(heard[who] ?? [])].sort()]);
    expect(Object.fromEntries(types)).to.deep.equal(Object.fromEntries(expected));
  };

  it('a change of a link', () =>
    expectHeard(to(LINK, 'link.updated'), () => change(watched.id, { destination: `${DESTINATION}b` })));

  it('archiving', () =>
    expectHeard({ ...to(LINK, 'link.archived', 'link.updated'), stops: ['link.archived'] }, () =>
      mine.api('POST', `/links/${watched.id}/archive`),
    ));

  it('a flag', () =>
    expectHeard({ ...to(LINK, 'link.flagged', 'link.updated', 'alert.created'), stops: ['link.flagged'] }, () =>
      flagLink(watched.id, 'phishing'),
    ));

  it('nothing of title, notes and external id alone', () =>
    expectHeard({}, () => change(watched.id, { title: 'x', notes: 'y', external_id: 'z' })));

  it('a deletion, although the link is gone when it is told', () =>
    expectHeard(to(LINK, 'link.deleted'), () => mine.api('DELETE', `/links/${watched.id}`)));

  it('another link', () => expectHeard(to(PROJECT, 'link.created'), () => make()));

  it('another link with the tag, whatever the case of its name', () =>
    expectHeard(to([...PROJECT, 'tag'], 'link.created'), () => make({ tags: ['other', 'WATCHED'] })));

  it('a tag that is given, and taken away', async () => {
    const { id } = await make({ tags: ['other'] });
    await expectHeard(to(PROJECT, 'link.updated'), () => change(id, { destination: `${DESTINATION}b` }));
    await expectHeard(to([...PROJECT, 'tag'], 'link.updated'), () => change(id, { tags: ['watched'] }));
    await expectHeard(to([...PROJECT, 'tag'], 'link.updated'), () => change(id, { destination: `${DESTINATION}c` }));
    await expectHeard(to([...PROJECT, 'tag'], 'link.updated'), () => change(id, { tags: [] }));
    await expectHeard(to(PROJECT, 'link.updated'), () => change(id, { destination: `${DESTINATION}d` }));
    await expectHeard(to(PROJECT, 'link.deleted'), () => mine.api('DELETE', `/links/${id}`));
  });

  it('bulk changes and deletions: each link, and the batch', async () => {
    const other = await make();
    const ids = [watched.id, other.id];
    const batch = (types: string[], single: string) => ({
      ...to(PROJECT, ...types, 'links.imported'),
      ...to(['link', 'tag'], single),
    });
    await expectHeard(batch(['link.updated', 'link.updated'], 'link.updated'), () =>
      mine.api('PATCH', '/links/bulk', { ids, set: { click_limit: 5 } }),
    );
    await expectHeard(to(PROJECT, 'links.imported'), () =>
      mine.api('PATCH', '/links/bulk', { ids, set: { click_limit: 5, title: 'T' } }),
    );
    await expectHeard(batch(['link.deleted', 'link.deleted'], 'link.deleted'), () =>
      mine.api('POST', '/links/bulk/delete', { ids }),
    );
  });

  it('bulk creations: the batch alone, also for the tag', () =>
    expectHeard(to(PROJECT, 'links.imported'), () =>
      mine.api('POST', '/links/bulk', { links: [{ destination: DESTINATION, tags: ['watched'] }] }),
    ));

  it('clicks: bots and scanners where they are asked for, prefetches nowhere', () => {
    const heard = { ...to(LINK, 'link.clicked'), bots: ['link.clicked', 'link.clicked', 'link.clicked'] };
    return expectHeard(heard, async () => {
      await follow(watched.slug, { 'User-Agent': AGENTS.human, 'Sec-Purpose': 'prefetch;prerender' });
      for (const agent of Object.values(AGENTS)) await follow(watched.slug, { 'User-Agent': agent });
      await stored(watched.id, 4);
    });
  });

  it('clicks of a link that was deleted meanwhile', async () => {
    await settle();
    await follow(watched.slug, { 'User-Agent': AGENTS.human });
    await mine.api('DELETE', `/links/${watched.id}`);
    for (const who of ['team', 'project', 'link'] as const) {
      const { event } = await receivers[who].waitFor(
        ({ event }) => event.type === 'link.clicked' && event.data.link.id === watched.id,
        'the click',
      );
      expect(event.data.link).to.include({ slug: watched.slug });
    }
  });

  it('links of neighbours and of strangers', async () => {
    await expectHeard(to(['team', 'neighbours'], 'link.created'), () => make({ tags: ['watched'] }, neighbours));
    await expectHeard(to(['strangers'], 'link.created'), () => make({ tags: ['watched'] }, strangers));
  });

  it('alerts of a link, of a project and of the whole team', async () => {
    await expectHeard(to(LINK, 'alert.created'), () => alert(mine.projectId, { linkId: watched.id }));
    await expectHeard(to(PROJECT, 'alert.created'), () => alert(mine.projectId));
    await expectHeard(to(['team', 'neighbours'], 'alert.created'), () => alert(neighbours.projectId));
    await expectHeard(to(['team'], 'alert.created'), () => alert(null));
    expect(receivers.team.received[0]?.event).to.include({ team_id: teamId, project_id: null });
    expect(receivers.team.received[0]?.event.data.alert).to.include({ project_id: null });
  });

  /** Waits until that many clicks of the link are stored. */
  const stored = (linkId: string, count: number) =>
    until(async () => {
      const rows = await query('SELECT id FROM clicks WHERE link_id = :linkId', { linkId });
      return rows.length === count;
    }, `${count} clicks`);
});
