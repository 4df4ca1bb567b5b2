// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { collectAppActivity } from '../../../src/attribution/collectAppActivity.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { readDocument } from '../../support/clientDocument.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { eventMisfits } from '../../support/eventMisfits.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { expectMatch, newAddress, type Sdk, sdkOf, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { joinWorld, type World } from '../../support/world.ts';

const WEB = 'https://www.example.com/shoes';
const APP = { app_version: '1.4.0', os_version: '18.1' };

interface ShownLink extends MadeLink {
  domain: string;
  short_url: string;
}
type Name = 'project' | 'link' | 'tag' | 'neighbours' | 'installs';

describe('what webhooks are told of apps', () => {
  let world: World;
  let mine: Tenant;
  let other: Tenant;
  let sdk: Sdk;
  let link: ShownLink;
  let receivers: Record<Name, Receiver>;
  let misfits: ReturnType<typeof eventMisfits>;

  before(async () => {
    world = await joinWorld();
    mine = await firstTenant(world);
    other = await makeTenant(world, mine.teamId);
    sdk = await sdkOf(mine);
    misfits = eventMisfits((await readDocument(world)).document);
    link = await make({ tags: ['app'], data: { screen: 'shoes' } });
    const tag = (await mine.api('GET', '/tags')).body.data[0];
    const started = ['project', 'link', 'tag', 'neighbours', 'installs'].map(async (name) => [
      name,
      await startReceiver(),
    ]);
    receivers = Object.fromEntries(await Promise.all(started));
    const hooks: [Name, Tenant, object][] = [
      ['project', mine, {}],
      ['link', mine, { scope: { link_id: link.id } }],
      ['tag', mine, { scope: { tag_id: tag.id } }],
      ['neighbours', other, {}],
      ['installs', mine, { event_types: ['app.installed'] }],
    ];
    for (const [name, { api }, more] of hooks) {
      const { status, body } = await api('POST', '/webhooks', { url: receivers[name].url, ...more });
      expect(status, JSON.stringify(body)).to.equal(201);
    }
  });
  const make = async (body: object = {}): Promise<ShownLink> => {
    const { id } = await createLink(mine.api, { destination: WEB, ...body });
    return (await mine.api('GET', `/links/${id}`)).body;
  };
  after(async () => {
    await world.stop();
    await Promise.all(Object.values(receivers).map((receiver) => receiver.close()));
  });
  afterEach(() => clock.reset());

  /** Events about an install that a webhook was told. */
  const toldOf = (name: Name, installId: string) =>
    receivers[name].received
      .map(({ event }) => event)
      .filter(({ data }) => (data.install?.install_id ?? data.install_id) === installId);
  /** The one event of that type about an install. */
  const untilTold = (name: Name, installId: string, type: string) =>
    until(() => toldOf(name, installId).find((event) => event.type === type), `${type} at ${name}`);
  const typesOf = (name: Name, installId: string) =>
    toldOf(name, installId)
      .map(({ type }) => type)
      .sort();
  /** Whatever was told to us before has been told to webhooks, and to each once. */
  const settled = async () => {
    const last = randomUUID();
    await sdk.open({ install_id: last, url: link.short_url }, { from: newAddress() });
    await sdk.event({ install_id: last });
    for (const name of ['project', 'link', 'tag'] as const) await untilTold(name, last, 'app.event');
  };
  const shown = () => {
    const { id, slug, domain, short_url } = link;
    return { id, slug, domain, short_url, destination: WEB, data: { screen: 'shoes' } };
  };

  it('is what there is of an install, an opening and an event, with the link that led there', async () => {
    const now = stopClock();
    const at = () => new Date(now.nowMs).toISOString();
    const [install_id, from, clicked] = [randomUUID(), newAddress(), at()];
    await visit(world, link, { from });
    now.move(60);
    const opened = await sdk.open({ install_id: install_id.toUpperCase(), ...APP }, { from });
    expectMatch(opened, 'probabilistic', link);
    await sdk.event({
      install_id,
      id: 'order 1',
      name: 'purchase',
      value: 9.5,
      currency: 'eur',
      properties: { a: [1] },
    });
    const types = ['app.installed', 'app.opened', 'app.event'] as const;
    const [installed, open, event] = await Promise.all(types.map((type) => untilTold('project', install_id, type)));
    for (const envelope of [installed, open, event]) {
      expect(misfits(envelope), JSON.stringify(envelope)).to.deep.equal([]);
      expect(envelope).to.include({ team_id: mine.teamId, project_id: mine.projectId, test: false });
    }
    const { matched, method, confidence, score, guaranteed, factors } = opened.body.match;
    const match = { matched, method, confidence, score, guaranteed, factors, clicked_at: clicked };
    expect(installed.data.install.id).to.match(/^ins_/);
    expect(installed.data.click_id).to.match(/^clk_/);
    expect(installed.data).to.deep.equal({
      install: { id: installed.data.install.id, install_id, platform: 'ios', ...APP, first_opened_at: at() },
      match,
      click_id: installed.data.click_id,
      link: shown(),
    });
    const { open_id } = opened.body;
    expect(open.data).to.deep.equal({ open_id, install_id, platform: 'ios', direct: false, match, link: shown() });
    expect(event.data).to.deep.equal({
      event: {
        id: 'order 1',
        name: 'purchase',
        outlier: false,
        occurred_at: at(),
        value: 9.5,
        currency: 'EUR',
        properties: { a: [1] },
      },
      install_id,
      link: shown(),
    });
  });

  it('is told to webhooks of the project, the link and its tags where a link led there, else of the project alone', async () => {
    const url = link.short_url;
    const [elsewhere, unmatched, later, other_link] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const direct = await sdk.open({ install_id: later, first_open: false, url });
    expectMatch(direct, 'link', link);
    const plain = await make();
    await sdk.open({ install_id: other_link, url: plain.short_url });
    await sdk.open({ install_id: unmatched }, { from: newAddress() });
    // An opening that nothing led to is no news.
    await sdk.open({ install_id: unmatched, first_open: false });
    for (const install_id of [later, unmatched, other_link]) await sdk.event({ install_id });
    const theirs = await sdkOf(other);
    await theirs.open({ install_id: elsewhere });
    await theirs.event({ install_id: elsewhere });
    await untilTold('neighbours', elsewhere, 'app.event');
    await settled();
    const expected: Record<string, Partial<Record<Name, string[]>>> = {
      [unmatched]: { project: ['app.event', 'app.installed'], installs: ['app.installed'] },
      [later]: { project: ['app.event', 'app.opened'], link: ['app.opened'], tag: ['app.opened'] },
      [other_link]: { project: ['app.event', 'app.installed', 'app.opened'], installs: ['app.installed'] },
      [elsewhere]: { neighbours: ['app.event', 'app.installed'] },
    };
    for (const [installId, told] of Object.entries(expected)) {
      for (const name of Object.keys(receivers) as Name[]) {
        expect(typesOf(name, installId), name).to.deep.equal(told[name] ?? []);
      }
    }
    const opened = toldOf('link', later)[0].data;
    expect(opened).to.deep.include({ open_id: direct.body.open_id, direct: true, link: shown() });
    const none = toldOf('installs', unmatched)[0].data;
    expect([none.link, none.click_id, none.match.matched]).to.deep.equal([null, null, false]);
    expect(toldOf('project', other_link).every(({ data }) => data.link.id === plain.id)).to.equal(true);
  });

  it('is collected once, however many collect at once', async () => {
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const url = link.short_url;
    await Promise.all(
      ids.map(async (install_id) => {
        await sdk.open({ install_id, url });
        await sdk.event({ install_id });
        await Promise.all([collectAppActivity(), collectAppActivity()]);
      }),
    );
    await settled();
    for (const name of ['project', 'link', 'tag'] as const) {
      for (const id of ids) expect(typesOf(name, id)).to.deep.equal(['app.event', 'app.installed', 'app.opened']);
    }
    const told = receivers.project.received.map(({ event }) => event.id);
    expect(new Set(told).size).to.equal(told.length);
  });

  it('follows the link through its changes, until it is gone', async () => {
    const install_id = randomUUID();
    const fading = await make();
    await sdk.open({ install_id, url: fading.short_url });
    await untilTold('project', install_id, 'app.opened');
    await mine.api('PATCH', `/links/${fading.id}`, { data: { screen: 'new' } });
    await sdk.event({ install_id, name: 'changed' });
    await untilTold('project', install_id, 'app.event');
    await mine.api('DELETE', `/links/${fading.id}`);
    await sdk.event({ install_id, name: 'deleted' });
    const gone = await until(
      () => toldOf('project', install_id).find(({ data }) => data.event?.name === 'deleted'),
      'the event after the deletion',
    );
    const changed = toldOf('project', install_id).find(({ data }) => data.event?.name === 'changed');
    expect([changed.data.link.data, gone.data.link]).to.deep.equal([{ screen: 'new' }, null]);
  });
});
