// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { CHECKS } from '../../../src/health/checkTable.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { Link } from '../../../src/models/Link.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { createLink } from '../../support/createLink.ts';
import { expectError } from '../../support/expectError.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';
import { makeHook } from '../../support/makeHook.ts';
import { NameServer } from '../../support/nameServer.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import { type OwnWorld, startWorld } from '../../support/world.ts';

const NAMES = CHECKS.map(({ name }) => name);

describe('health', () => {
  const loopback = new Loopback();
  let world: OwnWorld;
  let names: NameServer;
  let receiver: Receiver;
  let mine: Tenant;
  let made = 0;
  /** A link domain that leads here. */
  let domain: string;
  /** What the destination of the followed link answers, and how often it was asked. */
  let status: number;
  let asked: number;
  let site: string;

  before(async () => {
    names = await NameServer.start();
    receiver = await startReceiver();
    world = await startWorld({
      DNS_SERVERS: names.servers.join(','),
      // Its own runs come when the tests are over.
      HEALTH_CHECK_SECONDS: '100000000',
      HEALTH_RUN_PAUSE_SECONDS: '0',
      PROBE_TIMEOUT_SECONDS: '2',
    });
    const port = await loopback.http((_request, response) => {
      asked += 1;
      setTimeout(() => response.writeHead(status).end(), 50);
    });
    site = `http://127.0.0.1:${port}/shop`;
  });
  after(async () => {
    await world.stop();
    await Promise.all([names.close(), receiver.close(), loopback.close()]);
  });
  beforeEach(async () => {
    [status, asked] = [200, 0];
    made += 1;
    domain = `go${made}.acme.test`;
    names.zones[domain] = { A: ['127.0.0.1'] };
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
  });

  const show = async () => (await mine.api('GET', '/health')).body;
  const run = async () => {
    const reply = await mine.api('POST', '/health/run');
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body;
  };
  const checkOf = (shown: { checks: { name: string }[] }, name: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: tests look into every field
    shown.checks.find((check) => check.name === name) as any;
  const statuses = (shown: { checks: { name: string; status: string }[] }) =>
    Object.fromEntries(shown.checks.map((check) => [check.name, check.status]));
  const projectHealth = async () => (await mine.api('GET', `/projects/${mine.projectId}`)).body.health;
  const eventsOf = (type: string) => walk(mine.api, '/events', { type });
  /** A link that somebody has followed just now. */
  const followedLink = async (destination = site) => {
    const link = await createLink(mine.api, { destination });
    const followed = { clicks: 7, lastClickedAt: new Date() };
    await inTransaction((transaction) => Link.update(followed, { where: { id: link.id }, transaction }));
    return link;
  };
  const addDomain = (hostname: string, more: Partial<Domain> = {}) => {
    const verified = { kind: 'link', status: 'verified', verifiedAt: new Date() } as const;
    return inTransaction((transaction) =>
      Domain.create({ id: newId('dom'), projectId: mine.projectId, hostname, ...verified, ...more }, { transaction }),
    );
  };

  it('is unknown before the first run; every check is listed', async () => {
    const shown = await show();
    expect([shown.status, shown.checked_at, await projectHealth()]).to.deep.equal(['unknown', null, 'unknown']);
    expect(shown.checks).to.deep.equal(
      NAMES.map((name) => ({ name, status: 'skip', message: 'Not checked yet.', since: null })),
    );
  });

  it('passes after a run, and says what there was to look at', async () => {
    await addDomain(domain);
    await followedLink();
    const shown = await run();
    expect(shown.status).to.equal('passing');
    expect(statuses(shown)).to.deep.equal({
      link_domains_resolve: 'pass',
      certificates: 'skip',
      apple_app_site_association: 'skip',
      asset_links: 'skip',
      destinations: 'pass',
      store_pages: 'skip',
      webhooks: 'skip',
      publishable_key: 'skip',
    });
    expect(shown.checked_at).to.match(/Z$/);
    for (const check of shown.checks) expect(check.since).to.equal(shown.checked_at);
    expect(await show()).to.deep.equal(shown);
    expect(await projectHealth()).to.equal('passing');
  });

  it('fails with the second run in a row that fails, and recovers: one event each, one alert', async () => {
    const hook = await makeHook(mine.api, {
      url: receiver.url,
      event_types: ['health.failed', 'health.recovered', 'alert.created'],
    });
    const link = await followedLink();
    const first = await run();
    status = 404;
    const second = await run();
    expect([second.status, checkOf(second, 'destinations').status]).to.deep.equal(['passing', 'pass']);
    expect(checkOf(second, 'destinations').message).to.match(/^Failed once.*status 404/);
    const third = await run();
    expect([third.status, await projectHealth()]).to.deep.equal(['failing', 'failing']);
    const failed = checkOf(third, 'destinations');
    expect([failed.status, failed.since]).to.deep.equal(['fail', third.checked_at]);
    expect(failed.message).to.include(site).and.include(`/${link.slug}`).and.include('change the destination');
    await run();

    const [event, ...more] = await eventsOf('health.failed');
    expect(more).to.deep.equal([]);
    expect(event.data).to.deep.equal({ checks: [failed] });
    const [alert, ...others] = await walk(mine.api, '/alerts');
    expect(others).to.deep.equal([]);
    expect(alert).to.include({ kind: 'health', severity: 'critical', resolved_at: null, project_id: mine.projectId });
    expect(alert.details).to.deep.equal({ checks: [failed] });

    status = 200;
    const last = await run();
    expect(last.status).to.equal('passing');
    expect((await run()).status).to.equal('passing');
    const recovered = await eventsOf('health.recovered');
    expect(recovered.map(({ data }) => data)).to.deep.equal([{ checks: [checkOf(last, 'destinations')] }]);
    expect(checkOf(first, 'destinations').since).to.not.equal(checkOf(last, 'destinations').since);
    expect((await walk(mine.api, '/alerts'))[0].resolved_at).to.be.a('string');
    await hook.untilDeliveries(3, ({ status: sent }) => sent === 'succeeded', 'three deliveries');
  });

  it('begins with an alert and no event where it was unknown', async () => {
    status = 500;
    await followedLink();
    expect([(await run()).status, (await run()).status]).to.deep.equal(['unknown', 'failing']);
    expect(await eventsOf('health.failed')).to.deep.equal([]);
    expect(await walk(mine.api, '/alerts', { kind: 'health' })).to.have.length(1);
    status = 200;
    expect((await run()).status).to.equal('passing');
    expect(await eventsOf('health.recovered')).to.have.length(1);
  });

  it('names each link domain that has no address or leads elsewhere', async () => {
    const elsewhere = await loopback.http((_request, response) => void response.end('hello'));
    names.zones['elsewhere.acme.test'] = { A: ['127.0.0.1'] };
    await addDomain(domain);
    await addDomain('nowhere.acme.test');
    await addDomain(`elsewhere.acme.test:${elsewhere}`);
    await addDomain('pending.acme.test', { status: 'pending', verifiedAt: null } as never);
    await run();
    const check = checkOf(await run(), 'link_domains_resolve');
    expect(check.status).to.equal('fail');
    expect(check.message).to.match(/nowhere\.acme\.test.* cannot be reached: its host name has no address/);
    expect(check.message).to.include(`Requests to elsewhere.acme.test:${elsewhere} are not answered by this service`);
    expect(check.message).to.not.match(/pending|go\d/);
  });

  it('looks at the association files that this service answers itself', async () => {
    await addDomain(domain);
    const print = Array.from({ length: 32 }, () => 'AB').join(':');
    const apps = [
      { platform: 'ios', bundle_id: 'com.acme.app', team_id: 'ABCDE12345' },
      { platform: 'android', package: 'com.acme.app', sha256_fingerprints: [print] },
    ];
    const patched = await mine.api('PATCH', `/projects/${mine.projectId}`, { apps });
    expect(patched.status, JSON.stringify(patched.body)).to.equal(200);
    const shown = await until(async () => {
      const found = await run();
      return checkOf(found, 'asset_links').status !== 'skip' && found;
    }, 'the files');
    expect(statuses(shown)).to.include({ apple_app_site_association: 'warn', publishable_key: 'warn' });
    // Here the domain of all teams is the base host.
    expect(checkOf(shown, 'asset_links').message).to.match(/open no app: it is the host of BASE_URL.*Set LINK_DOMAIN/);
    expect(shown.status).to.equal('passing');
    await mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: domain });
    const own = await until(async () => {
      const found = await run();
      return checkOf(found, 'asset_links').status === 'pass' && found;
    }, 'the files of its own domain');
    expect(statuses(own)).to.include({ apple_app_site_association: 'pass' });
  });

  it('looks where the default destinations of domains and splits lead, never at schemes of apps', async () => {
    await addDomain(domain, { notFoundDestination: `${site}/unknown` } as never);
    status = 410;
    expect(checkOf(await run(), 'destinations').message).to.include(`${site}/unknown (${domain})`);
    const link = await followedLink('https://nowhere.acme.test/');
    const split = [1, 2].map((weight) => ({ name: String(weight), destination: `${site}/${weight}`, weight }));
    expect((await mine.api('PATCH', `/links/${link.id}`, { routing: { split } })).status).to.equal(200);
    const { message } = checkOf(await run(), 'destinations');
    expect(message).to.include(`${site}/1`).and.include(`${site}/2`).and.not.include('nowhere');
  });

  it('knows webhooks that were switched off', async () => {
    const { id } = await makeHook(mine.api, { url: 'http://127.0.0.1:9999/hook' });
    expect(statuses(await run()).webhooks).to.equal('pass');
    const off = { status: 'disabled', disabledReason: 'failures' } as const;
    await inTransaction((transaction) => Webhook.update(off, { where: { id }, transaction }));
    await run();
    const check = checkOf(await run(), 'webhooks');
    expect([check.status, check.message]).to.satisfy(([is, says]: string[]) => is === 'fail' && says?.includes(id));
    await mine.api('POST', `/webhooks/${id}/enable`);
    expect(statuses(await run()).webhooks).to.equal('pass');
  });

  it('shares a run between those who ask at once', async () => {
    await followedLink();
    const shown = await Promise.all([run(), run(), run()]);
    expect(asked).to.equal(1);
    expect(shown[1]).to.deep.equal(shown[0]);
    status = 500;
    await Promise.all([run(), run(), run()]);
    expect((await show()).status).to.equal('passing');
  });

  it('lets those wait who ask again and again', async () => {
    config.healthRunPauseSeconds = 1;
    try {
      const startedAt = performance.now();
      for (let count = 0; count < 4; count += 1) await run();
      expect(performance.now() - startedAt).to.be.below(3950);
      await run();
      expect(performance.now() - startedAt).to.be.within(3950, 3950 + LATE_MS);
    } finally {
      config.healthRunPauseSeconds = 0;
    }
  });

  it('is run once for an Idempotency-Key', async () => {
    await followedLink();
    const headers = { 'Idempotency-Key': 'once' };
    const first = await mine.api('POST', '/health/run', undefined, { headers });
    const again = await mine.api('POST', '/health/run', undefined, { headers });
    expect([first.status, again.body, asked]).to.deep.equal([200, first.body, 1]);
  });

  it('stays over a restart of the product', async () => {
    status = 500;
    await followedLink();
    await run();
    await world.restart();
    expect((await run()).status).to.equal('failing');
    await world.restart();
    expect((await run()).status).to.equal('failing');
    expect(await walk(mine.api, '/alerts', { kind: 'health' })).to.have.length(1);
  });

  it('refuses what it does not know', async () => {
    expectError(await mine.api('GET', '/health?project_id=x'), 422, 'validation_failed');
    expectError(await mine.api('GET', '/health/run'), 405, 'method_not_allowed');
  });
});
