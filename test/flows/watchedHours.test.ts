// plays, stores: any
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { watchTraffic } from '../../src/anomalies/watchTraffic.ts';
import { foldLinkCounts } from '../../src/clicks/linkCountStore.ts';
import { query } from '../../src/db/query.ts';
import { checkDueDomains } from '../../src/domains/checkDueDomains.ts';
import { checkDueProjects } from '../../src/health/checkDueProjects.ts';
import { clock } from '../../src/kernel/clock.ts';
import { sendMails } from '../../src/mail/sendMails.ts';
import { makeHook } from '../support/makeHook.ts';
import { NameServer } from '../support/nameServer.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type StoppedClock, stopClock } from '../support/stopClock.ts';
import { until } from '../support/until.ts';
import { walk } from '../support/walk.ts';
import { HourlyClicks } from '../support/watched/HourlyClicks.ts';
import { Site } from '../support/watched/Site.ts';
import { type OwnWorld, startWorld } from '../support/world.ts';

const STEP_SECONDS = 300;
const HOUR_SECONDS = 3600;
const DOMAIN = 'go.acme.test';
/** Monday noon, so that no hour of the run is a night or a weekend of the generated traffic. */
const BEGIN_MS = Date.UTC(2026, 10, 16, 6);

/**
 * One day of a project, in steps of five minutes, with two workers more than the product has. What they claim from the
 * store is tested on each: checkDueProjects, checkDueDomains, claimMails, trafficAnomalies.
 */
describe('a watched project', function () {
  this.timeout(600_000);
  let time: StoppedClock;
  let world: OwnWorld;
  let names: NameServer;
  let site: Site;
  let receiver: Receiver;
  let smtp: SMTPServer;
  let traffic: HourlyClicks;
  const mails: string[] = [];

  before(async () => {
    time = stopClock(BEGIN_MS);
    names = await NameServer.start();
    site = await Site.start();
    receiver = await startReceiver();
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        let text = '';
        stream.on('data', (part: Buffer) => {
          text += part.toString();
        });
        stream.on('end', () => {
          mails.push(/^Subject: (.*)$/m.exec(text)?.[1] ?? text);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    const { port } = smtp.server.address() as { port: number };
    world = await startWorld({
      DNS_SERVERS: names.servers.join(','),
      LINK_ADDRESSES: '127.0.0.1',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      DOMAIN_RECHECK_SECONDS: '900',
      RATE_LIMIT_PER_MINUTE: '10000000',
    });
    names.zones[DOMAIN] = { A: ['127.0.0.1'] };
  });
  after(async () => {
    clock.reset();
    await world.stop();
    await Promise.all([receiver.close(), names.close(), site.close()]);
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
  });

  /** Lets the hours pass; what is due is looked for twice at once. */
  const pass = async (hours: number) => {
    const { signal } = new AbortController();
    for (let gone = 0; gone < hours * HOUR_SECONDS; gone += STEP_SECONDS) {
      // In five minutes at once, the lease of a request that is on its way would end.
      await until(isTold, 'deliveries and mails to be made');
      time.move(STEP_SECONDS);
      await traffic.until(time.nowMs);
      // What is checked of a project are the links that were followed, by their counts.
      await foldLinkCounts();
      for (const work of [checkDueDomains, checkDueProjects, watchTraffic, sendMails]) {
        await Promise.all([work(signal), work(signal)]);
      }
    }
  };
  const isTold = async () => {
    const [row] = await query<{ count: number | string }>(
      `SELECT (SELECT COUNT(*) FROM events WHERE fanned_out_at IS NULL)
            + (SELECT COUNT(*) FROM deliveries WHERE status = 'pending')
            + (SELECT COUNT(*) FROM mails WHERE status = 'waiting') AS count`,
    );
    return Number(row?.count) === 0;
  };
  const eventsOf = (type: string) => walk(world.api, '/events', { type });
  const alertsOf = async (kind: string) => walk(world.api, '/alerts', { kind });
  const domainShown = async (id: string) => (await world.api('GET', `/domains/${id}`)).body;
  const healthShown = async () => (await world.api('GET', '/health')).body;

  it('tells of each fault once, and when it is over', async () => {
    const { api } = world;
    await makeHook(api, {
      url: receiver.url,
      event_types: ['health.failed', 'health.recovered', 'domain.verified', 'alert.created'],
    });
    const made = await api('POST', '/domains', { hostname: DOMAIN });
    expect(made.status).to.equal(201);
    const verified = await api('POST', `/domains/${made.body.id}/verify`);
    expect(verified.body.status).to.equal('verified');
    const link = await api('POST', '/links', { destination: site.url, domain: DOMAIN, slug: 'shop' });
    traffic = await HourlyClicks.begin(link.body, time.nowMs);

    await pass(1);
    expect((await healthShown()).status).to.equal('passing');
    expect(await alertsOf('health')).to.deep.equal([]);

    // One bad answer is none yet.
    site.status = 500;
    await pass(1 / 12);
    site.status = 200;
    await pass(11 / 12);
    expect(await eventsOf('health.failed')).to.deep.equal([]);

    // An hour of bad answers.
    site.status = 500;
    await pass(1);
    expect(await eventsOf('health.failed')).to.have.length(1);
    expect(await alertsOf('health')).to.have.length(1);
    site.status = 200;
    await pass(0.5);
    expect(await eventsOf('health.recovered')).to.have.length(1);
    expect((await alertsOf('health'))[0].resolved_at).to.be.a('string');

    // The records of the domain are gone, and the product is started anew in the middle of it.
    delete names.zones[DOMAIN];
    await pass(0.25);
    expect((await domainShown(made.body.id)).status).to.equal('verified');
    await world.restart();
    await pass(2.25);
    expect((await domainShown(made.body.id)).status).to.equal('failing');
    expect(await alertsOf('domain')).to.have.length(1);
    expect(await eventsOf('health.failed')).to.have.length(2);
    names.zones[DOMAIN] = { A: ['127.0.0.1'] };
    await pass(1.5);
    expect((await domainShown(made.body.id)).status).to.equal('verified');
    expect((await alertsOf('domain'))[0].resolved_at).to.be.a('string');
    expect(await eventsOf('health.recovered')).to.have.length(2);
    expect(await eventsOf('domain.verified')).to.have.length(1);

    // Hardly anybody comes for three hours.
    traffic.share = 0.02;
    await pass(3);
    traffic.share = 1;
    await pass(6);
    const anomalies = await alertsOf('traffic_anomaly');
    expect(anomalies.map(({ details }) => details.direction)).to.deep.equal(['drop']);
    expect(anomalies[0].resolved_at).to.be.a('string');

    // Receiver, mailbox and list say the same, each thing once.
    const told = [
      ...(await Promise.all(['health.failed', 'health.recovered', 'domain.verified', 'alert.created'].map(eventsOf))),
    ].flat();
    await until(() => receiver.received.length >= told.length, 'every delivery');
    const ids = receiver.received.map(({ event }) => event.id);
    expect(ids.sort()).to.deep.equal(told.map(({ id }) => id).sort());
    const alerts = await walk(api, '/alerts');
    expect(alerts).to.have.length(4);
    await until(() => mails.length >= alerts.length, 'every mail');
    expect(mails).to.have.length(alerts.length);
  });
});
