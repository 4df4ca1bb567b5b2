// stores: each
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { rescanLinks } from '../../../jobs/rescanLinks.ts';
import { type AdminContext, WrongArguments } from '../../../src/app/admin/commands/AdminCommand.ts';
import { LINK_COMMANDS } from '../../../src/app/admin/commands/links.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { clearFlag, flagLink } from '../../../src/links/flagService.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { Event } from '../../../src/models/Event.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { makeTenant, ownerSession } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { startWorld, type World } from '../../support/world.ts';

const DAY_MS = 86_400_000;

describe('Flags', () => {
  let world: World;
  let receiver: Receiver;
  let folder: string;
  let lists = 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    world = await startWorld({ RESCAN_PAUSE_SECONDS: '1' });
    receiver = await startReceiver();
    await world.api('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
  });
  afterEach(() => clock.reset());
  after(async () => {
    await world.stop();
    await receiver.close();
    await rm(folder, { recursive: true });
  });

  /** Puts another blocklist in force. */
  const list = async (...hosts: string[]) => {
    lists += 1;
    const file = path.join(folder, `list-${lists}.txt`);
    await writeFile(file, hosts.map((host) => `${host}\n`).join(''));
    config.blocklistFiles = file;
  };
  const make = async (destination: string, body: object = {}) =>
    (await world.api('POST', '/links', { destination, ...body })).body;
  const show = async (id: string) => (await world.api('GET', `/links/${id}`)).body;
  const follow = (slug: string) => fetch(`${world.origin}/${slug}`, { redirect: 'manual' });
  const typesOf = async (linkId: string) => {
    const events = await Event.findAll({ where: { linkId } });
    return events
      .map(({ type }) => type)
      .filter((type) => type !== 'link.clicked')
      .sort();
  };
  const alertsOf = (linkId: string) => Alert.findAll({ where: { linkId } });
  /** As if these links had never been scanned; without ids all. */
  const forgetScans = (...ids: string[]) =>
    inTransaction((transaction) =>
      Link.update({ scannedAt: null }, { where: ids.length > 0 ? { id: ids } : {}, silent: true, transaction }),
    );
  const rescan = async () => {
    await forgetScans();
    await rescanLinks();
  };
  const review = (id: string) => world.api('POST', `/links/${id}/review`);
  const flagged = (id: string) => until(async () => (await show(id)).status === 'flagged', 'the flag');

  it('a link whose destination turns bad stops at once, with events and an alert', async () => {
    const link = await make('https://turns-bad.example/', { tags: ['a'] });
    expect((await follow(link.slug)).status).to.equal(302);
    await list('turns-bad.example');
    await forgetScans(link.id);
    await flagged(link.id);
    const answer = await follow(link.slug);
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([404, null]);
    expect(await answer.text()).to.include('This link is blocked');
    const shown = await show(link.id);
    expect(shown.flag_reason).to.equal('destination: turns-bad.example is on a list of harmful sites. (blocklist)');
    expect(await typesOf(link.id)).to.deep.equal(['alert.created', 'link.created', 'link.flagged', 'link.updated']);
    const told = await receiver.waitFor(({ event }) => event.type === 'link.flagged', 'link.flagged');
    expect(told.event.data).to.deep.equal({ link: shown, reason: shown.flag_reason });
    const { event: updated } = await receiver.waitFor(({ event }) => event.type === 'link.updated', 'link.updated');
    expect(updated.data.changes).to.deep.equal({
      status: { from: 'active', to: 'flagged' },
      flag_reason: { from: null, to: shown.flag_reason },
      flagged_at: { from: null, to: shown.flagged_at },
    });
    const { event: raised } = await receiver.waitFor(({ event }) => event.type === 'alert.created', 'alert.created');
    expect(raised.data.alert).to.include({ kind: 'link_flagged', severity: 'warning', link_id: link.id });
    const { body: alerts } = await world.api('GET', '/alerts');
    expect(alerts.data[0]).to.deep.equal(raised.data.alert);
    expect(alerts.data[0].details).to.deep.equal({
      link_id: link.id,
      short_url: link.short_url,
      reason: shown.flag_reason,
    });
    // From here on tests say when links are scanned.
    config.rescanPauseSeconds = 3600;
  });

  it('many scanners that meet flag once', async () => {
    const link = await make('https://fine.example/');
    const urls = [{ path: 'destination', url: 'https://fine.example/' }];
    const done = await Promise.all(Array.from({ length: 20 }, () => flagLink(link.id, 'destination: bad', urls)));
    expect(done.filter(Boolean)).to.have.length(1);
    expect(await typesOf(link.id)).to.deep.equal(['alert.created', 'link.created', 'link.flagged', 'link.updated']);
    expect(await alertsOf(link.id)).to.have.length(1);
  });

  it('rounds that run at once flag once', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => make('https://meets.example/')));
    await list('meets.example');
    await forgetScans();
    await Promise.all([rescanLinks(), rescanLinks(), rescanLinks()]);
    for (const { id } of links) {
      await flagged(id);
      expect(await typesOf(id)).to.have.length(4);
    }
  });

  it('what a scan found in URLs that are no longer there flags nothing', async () => {
    const link = await make('https://was.example/');
    await world.api('PATCH', `/links/${link.id}`, { destination: 'https://is.example/' });
    expect(await flagLink(link.id, 'bad', [{ path: 'destination', url: 'https://was.example/' }])).to.equal(false);
    expect((await show(link.id)).status).to.equal('active');
  });

  it('links are scanned again after a day; archived ones are not', async () => {
    const [archived, active] = [await make('https://sooner.example/'), await make('https://sooner.example/')];
    await world.api('POST', `/links/${archived.id}/archive`);
    await list('sooner.example');
    let nowMs = Date.parse(active.created_at) + DAY_MS - 1000;
    clock.use({ now: () => nowMs });
    await rescanLinks();
    expect((await show(active.id)).status).to.equal('active');
    nowMs += 2000;
    await rescanLinks();
    await flagged(active.id);
    expect(await show(archived.id)).to.include({ status: 'archived', flagged_at: null });
  });

  it('editing and archiving do not clear a flag', async () => {
    const link = await make('https://stays.example/');
    await flagLink(link.id, 'reported');
    await world.api('PATCH', `/links/${link.id}`, { destination: 'https://other.example/', archived: true });
    await world.api('POST', `/links/${link.id}/unarchive`);
    expect(await show(link.id)).to.include({ status: 'flagged', flag_reason: 'reported' });
    expect((await follow(link.slug)).status).to.equal(404);
  });

  describe('review', () => {
    it('clears a scan’s flag when nothing is found any more', async () => {
      const link = await make('https://mistake.example/');
      await list('mistake.example');
      await rescan();
      await flagged(link.id);
      await list();
      const asked = await review(link.id);
      expect(asked.status).to.equal(200);
      expect(asked.body).to.include({ id: link.id, status: 'flagged' });
      expect((await review(link.id)).status).to.equal(200);
      await rescanLinks();
      expect(await show(link.id)).to.include({ status: 'active', flag_reason: null, flagged_at: null });
      expect((await follow(link.slug)).status).to.equal(302);
      expect(await typesOf(link.id)).to.deep.equal([
        'alert.created',
        'link.created',
        'link.flagged',
        'link.updated',
        'link.updated',
      ]);
      const [alert] = await alertsOf(link.id);
      expect(alert?.resolvedAt).to.be.an.instanceOf(Date);
    });

    it('keeps it, with the present reason, when something is found', async () => {
      const link = await make('https://one.example/', { expired_destination: 'https://two.example/' });
      await list('one.example', 'two.example');
      await rescan();
      await flagged(link.id);
      await list('two.example');
      await review(link.id);
      await rescanLinks();
      expect((await Link.findByPk(link.id))?.reviewRequestedAt).to.equal(null);
      const shown = await show(link.id);
      expect(shown.status).to.equal('flagged');
      expect(shown.flag_reason).to.include('expired_destination: two.example');
      expect(await alertsOf(link.id)).to.have.length(1);
    });

    it('clears it after the URL was changed, and a later finding flags anew', async () => {
      const link = await make('https://first.example/');
      await list('first.example');
      await rescan();
      await flagged(link.id);
      await world.api('PATCH', `/links/${link.id}`, { destination: 'https://second.example/' });
      await review(link.id);
      await rescanLinks();
      expect((await show(link.id)).status).to.equal('active');
      await list('second.example');
      await rescan();
      await flagged(link.id);
      expect(await alertsOf(link.id)).to.have.length(2);
    });

    it('leaves the flag of an operator to the operator', async () => {
      const link = await make('https://reported.example/');
      await flagLink(link.id, 'phishing');
      await review(link.id);
      await rescanLinks();
      expect((await show(link.id)).status).to.equal('flagged');
      expect((await Link.findByPk(link.id))?.reviewRequestedAt).to.be.an.instanceOf(Date);
    });

    it('changes nothing on a link without a flag', async () => {
      const link = await make('https://fine.example/');
      const { status, body } = await review(link.id);
      expect([status, body]).to.deep.equal([200, link]);
      expect((await Link.findByPk(link.id))?.reviewRequestedAt).to.equal(null);
    });

    it('takes an external id, and no link of others; GraphQL has it too', async () => {
      await make('https://fine.example/', { external_id: 'named' });
      expect((await review('ext_named')).status).to.equal(200);
      const { id } = (await (await makeTenant(world)).api('POST', '/links', { destination: 'https://x.example/' }))
        .body;
      expectError(await review(id), 404, 'not_found');
      const own = await make('https://fine.example/');
      const mutation = 'mutation ($id: ID!) { reviewLink(id: $id) { id status } }';
      const { data } = await graphql(world.origin, mutation, { id: own.id }, await ownerSession(world));
      expect(data).to.deep.equal({ reviewLink: { id: own.id, status: 'active' } });
    });
  });

  describe('operators', () => {
    const run = async (name: string, ...args: string[]) => {
      const printed: string[] = [];
      const context: AdminContext = {
        folder: '/',
        given: {},
        product: null,
        signal: new AbortController().signal,
        print: async (text) => void printed.push(text),
        showProgress: (line) => void printed.push(line),
      };
      const command = LINK_COMMANDS.find((known) => known.name === name);
      const end = await command?.run(args, context);
      return [...printed, ...(end ? [end] : [])].join('\n');
    };

    it('flag, list and clear', async () => {
      const link = await make('https://reported.example/');
      expect(await run('flag', link.id, 'sells', 'counterfeits')).to.include('is flagged');
      expect(await run('flag', link.id, 'sells', 'counterfeits')).to.include('already');
      expect(await show(link.id)).to.include({ status: 'flagged', flag_reason: 'sells counterfeits' });
      const { body: team } = await world.api('GET', '/team');
      for (const args of [[], [`--team=${team.id}`]]) {
        expect(await run('list-flagged', ...args))
          .to.include(link.short_url)
          .and.include('sells counterfeits');
      }
      expect(await run('list-flagged', '--team=team_none')).to.equal('No link is flagged.');
      expect(await run('clear-flag', link.id)).to.include('cleared');
      expect(await run('clear-flag', link.id)).to.include('not flagged');
      expect((await show(link.id)).status).to.equal('active');
      for (const args of [['flag', link.id], ['clear-flag'], ['list-flagged', 'x']] as [string, ...string[]][]) {
        let refused: unknown;
        await run(...args).catch((error: unknown) => {
          refused = error;
        });
        expect(refused, args.join(' ')).to.be.an('error');
      }
    });

    it('list by pages, newest flag first, and only links whose review was requested', async () => {
      const made = await Promise.all(Array.from({ length: 3 }, () => make('https://listed.example/')));
      for (const { id } of made) await flagLink(id, 'listed');
      await review(made[1].id);
      const { body: team } = await world.api('GET', '/team');
      const whole = (await run('list-flagged', `--team=${team.id}`, '--json'))
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(whole.map(({ id }) => id)).to.include.members(made.map(({ id }) => id));
      const times = whole.map(({ flagged_at }) => flagged_at);
      expect(times).to.deep.equal([...times].sort().reverse());
      expect(whole.find(({ id }) => id === made[0].id)).to.include({
        flag_reason: 'listed',
        destination: 'https://listed.example/',
      });
      const [first, second, more = ''] = (await run('list-flagged', '--limit=2', '--json')).split('\n');
      expect([first, second].map((line) => JSON.parse(line ?? ''))).to.deep.equal(whole.slice(0, 2));
      const cursor = more.replace('There are more: ', '');
      expect(cursor).to.match(/^--cursor=/);
      expect(
        JSON.parse(await run('list-flagged', '--json', '--limit=1', cursor).then((text) => text.split('\n')[0] ?? '')),
      ).to.deep.equal(whole[2]);
      expect(await run('list-flagged', '--review'))
        .to.include(made[1].id)
        .and.not.include(made[0].id);
      for (const wrong of ['--limit=0', '--limit=x', '--limit=-1', '--color'])
        expect(await run('list-flagged', wrong).catch((error) => error), wrong).to.be.an.instanceOf(WrongArguments);
    });

    it('clear for good: the same finding does not flag again until the URLs or the verdict change', async () => {
      const link = await make('https://harmless.example/');
      await list('harmless.example');
      await rescan();
      await flagged(link.id);
      await clearFlag(link.id);
      await rescan();
      await rescan();
      expect((await show(link.id)).status).to.equal('active');
      await world.api('PATCH', `/links/${link.id}`, { preview: { image_url: 'https://other.example/i.png' } });
      await rescan();
      await flagged(link.id);
      await clearFlag(link.id);
      await list();
      await rescan();
      await list('harmless.example');
      await rescan();
      await flagged(link.id);
      expect(await alertsOf(link.id)).to.have.length(3);
    });

    it('overrule a scan: then a review waits for them', async () => {
      const link = await make('https://both.example/');
      await flagLink(link.id, 'found', [{ path: 'destination', url: 'https://both.example/' }]);
      expect(await flagLink(link.id, 'looked at: phishing')).to.equal(true);
      expect(await show(link.id)).to.include({ flag_reason: 'looked at: phishing' });
      await review(link.id);
      await rescanLinks();
      expect((await show(link.id)).status).to.equal('flagged');
      expect((await typesOf(link.id)).filter((type) => type === 'link.flagged')).to.have.length(1);
    });
  });
});
