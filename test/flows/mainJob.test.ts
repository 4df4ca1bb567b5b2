// plays, stores: each
import { expect } from 'chai';
import { constructEvent } from '../../sdk/webhooks/index.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { joinWorld, type World } from '../support/world.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('the main job: create, follow, count, hear', () => {
  let world: World;
  let receiver: Receiver;
  let secret: string;
  let linkId: string;

  before(async function () {
    this.timeout(600_000);
    world = await joinWorld();
    receiver = await startReceiver();
  });
  after(async () => {
    await world.stop();
    await receiver.close();
  });

  it('makes a webhook and a link over REST', async () => {
    const webhook = await world.api('POST', '/webhooks', {
      url: receiver.url,
      event_types: ['link.created', 'link.clicked'],
    });
    expect(webhook.status).to.equal(201);
    secret = webhook.body.secret;
    expect(secret).to.match(/^whsec_[\w-]{43}$/);
    const link = await world.api('POST', '/links', {
      destination: 'https://example.com/spring?a=1#top',
      slug: 'spring',
      tags: ['Sale'],
      utm: { source: 'news', campaign: 'spring' },
    });
    expect(link.status).to.equal(201);
    expect(link.body).to.include({ slug: 'spring', status: 'active', clicks: 0, external_id: null });
    linkId = link.body.id;
  });

  it('sends visitors on, with utm and their own parameters', async () => {
    const response = await fetch(`${world.origin}/spring?ref=x&a=2`, {
      redirect: 'manual',
      headers: { 'User-Agent': AGENT },
    });
    expect(response.status).to.equal(302);
    expect(response.headers.get('location')).to.equal(
      'https://example.com/spring?a=1&utm_source=news&utm_campaign=spring&ref=x#top',
    );
    expect(response.headers.get('cache-control')).to.equal('private, no-store');
  });

  it('counts one person in analytics and on the link, and keeps the bot apart', async () => {
    await fetch(`${world.origin}/spring`, { method: 'HEAD', redirect: 'manual', headers: { 'User-Agent': AGENT } });
    await until(
      async () => (await world.api('GET', '/analytics?traffic=all')).body.total.count === 2,
      'two clicks to be counted',
    );
    const people = await world.api('GET', '/analytics');
    expect(people.body.total).to.deep.equal({ count: 1, unique: 1, values: null });
    const byLink = await world.api('GET', '/analytics?group_by=link');
    expect(byLink.body.data).to.deep.equal([{ key: linkId, count: 1, unique: 1, values: null }]);
    const byBrowser = await world.api('GET', '/analytics?group_by=browser&traffic=all');
    expect(byBrowser.body.data[0]).to.include({ key: 'Chrome', count: 2 });
    // On PostgreSQL counts of links are added up a moment later.
    await until(async () => (await world.api('GET', `/links/${linkId}`)).body.clicks === 1, 'the count of the link');
    const link = await world.api('GET', `/links/${linkId}`);
    expect(link.body.last_clicked_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('tells the receiver, signed so that the package for receivers agrees', async () => {
    const created = await receiver.waitFor(({ event }) => event.type === 'link.created', 'link.created');
    const clicked = await receiver.waitFor(({ event }) => event.type === 'link.clicked', 'link.clicked', 20_000);
    for (const { headers, body } of [created, clicked]) {
      const signature = headers['svc-signature'] as string;
      expect(constructEvent(body, signature, secret)).to.have.property('id', headers['svc-event-id']);
      const tampered = body.replace('"', "'");
      expect(() => constructEvent(tampered, signature, secret)).to.throw(/signature/i);
      expect(headers).to.include({
        'content-type': 'application/json',
        'user-agent': 'SVC-Webhooks/1',
        'svc-attempt': '1',
      });
    }
    expect(created.event).to.include({ api_version: '2026-11-01', test: false });
    expect(created.event.data.link).to.deep.equal({
      ...(await world.api('GET', `/links/${linkId}`)).body,
      clicks: 0,
      last_clicked_at: null,
    });
    expect(clicked.event.data.click).to.include({
      traffic_class: 'human',
      browser: 'Chrome',
      platform: 'linux',
      device: 'desktop',
    });
    expect(clicked.event.data.link).to.deep.equal({
      id: linkId,
      domain: new URL(world.origin).host.replace('127.0.0.1', 'localhost'),
      slug: 'spring',
      short_url: `http://localhost:${new URL(world.origin).port}/spring`,
      external_id: null,
      tags: ['Sale'],
    });
  });

  it('shows the deliveries with their attempts, and no bot among them', async () => {
    const [webhook] = (await world.api('GET', '/webhooks')).body.data;
    const deliveries = await until(async () => {
      const { body } = await world.api('GET', `/webhooks/${webhook.id}/deliveries?status=succeeded`);
      return body.data.length >= 2 ? body.data : null;
    }, 'both deliveries to be written down');
    expect(deliveries.map((delivery: { event_type: string }) => delivery.event_type).sort()).to.deep.equal([
      'link.clicked',
      'link.created',
    ]);
    expect(deliveries[0].attempts[0]).to.include({
      number: 1,
      manual: false,
      status_code: 200,
      error: null,
      response_body: 'ok',
    });
  });

  it('stops an archived link at once and takes it up again', async () => {
    const follow = () => fetch(`${world.origin}/spring`, { redirect: 'manual', headers: { 'User-Agent': AGENT } });
    await world.api('POST', `/links/${linkId}/archive`);
    expect((await follow()).status).to.equal(404);
    await world.api('POST', `/links/${linkId}/unarchive`);
    expect((await follow()).status).to.equal(302);
    await world.api('PATCH', `/links/${linkId}`, { destination: 'https://example.org/' });
    expect((await follow()).headers.get('location')).to.match(/^https:\/\/example\.org\//);
    await world.api('DELETE', `/links/${linkId}`);
    expect((await follow()).status).to.equal(404);
  });
});
