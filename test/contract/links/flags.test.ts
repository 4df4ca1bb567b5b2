// stores: any
import { expect } from 'chai';
import { rescanLinks } from '../../../jobs/rescanLinks.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { useScannedLinks } from '../../support/scannedLinks.ts';
import { makeTenant, ownerSession } from '../../support/tenants.ts';

const DAY_MS = 86_400_000;

describe('Flags', () => {
  const { world, list, make, show, typesOf, alertsOf, forgetScans, rescan, review, flagged } = useScannedLinks();
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
    await world.api('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
  });
  after(() => receiver.close());

  const follow = (slug: string) => fetch(`${world.origin}/${slug}`, { redirect: 'manual' });

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
});
