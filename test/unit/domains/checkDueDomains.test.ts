// stores: each
import { expect } from 'chai';
import type { KeyPrincipal } from '../../../src/access/principal.ts';
import type { Scope } from '../../../src/access/scopes.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { checkDueDomains } from '../../../src/domains/checkDueDomains.ts';
import { createDomain } from '../../../src/domains/domainService.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { Event } from '../../../src/models/Event.ts';
import { makeProject } from '../../support/clicks.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { NameServer } from '../../support/nameServer.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const TARGET = 'links.svc-host.net';
const ON = new AbortController().signal;

describe('domains that are looked at by themselves', () => {
  let store: OpenStore;
  let names: NameServer;
  let time: StoppedClock;
  let key: KeyPrincipal;
  let made = 0;

  before(async () => {
    names = await NameServer.start();
    names.zones[TARGET] = { A: ['198.18.0.7'] };
    store = await openStore({
      ALLOW_PRIVATE_TARGETS: 'true',
      DNS_SERVERS: names.servers.join(','),
      LINK_DOMAIN: TARGET,
      DOMAIN_RETRY_SECONDS: '60,120,300',
      DOMAIN_PENDING_DAYS: '1',
      DOMAIN_RECHECK_SECONDS: '3600',
      DOMAIN_FAIL_AFTER: '3',
    });
  });
  after(async () => {
    await store.close();
    await names.close();
  });
  beforeEach(async () => {
    time = stopClock();
    const { id: projectId, teamId } = await makeProject();
    const scopes = new Set<Scope>(['domains:write']);
    key = { kind: 'key', keyId: newId('key'), keyKind: 'secret', projectId, teamId, scopes };
  });
  afterEach(async () => {
    clock.reset();
    await inTransaction((transaction) => Domain.destroy({ where: {}, transaction }));
  });

  const add = (hostname = `go.customer${++made}.com`) => createDomain(key, { projectId: key.projectId, hostname });
  const now = ({ id }: Domain) => Domain.findByPk(id, { rejectOnEmpty: true });
  const eventsOf = (type: string) => Event.count({ where: { projectId: key.projectId, type } });
  /** Moves on, and does what is due then. */
  const pass = async (seconds: number) => {
    time.move(seconds);
    await checkDueDomains(ON);
  };
  /** A domain that was verified by the first look. */
  const addVerified = async () => {
    const domain = await add();
    names.zones[domain.hostname] = { CNAME: TARGET };
    await pass(60);
    expect((await now(domain)).status).to.equal('verified');
    return domain;
  };

  it('with growing gaps from their creation, up to a day', async () => {
    const domain = await add();
    const gaps: number[] = [];
    let last = domain.createdAt.getTime();
    while (gaps.length < 5) {
      const due = (await now(domain)).nextCheckAt?.getTime() ?? 0;
      gaps.push((due - last) / 1000);
      await pass((due - clock.now()) / 1000 - 1);
      expect((await now(domain)).nextCheckAt?.getTime(), 'a second before it is due').to.equal(due);
      await pass(1);
      last = due;
    }
    expect(gaps).to.deep.equal([60, 120, 300, 300, 300]);
    expect(await now(domain))
      .to.include({ failures: 5, status: 'pending' })
      .and.property('problem')
      .matches(/no TXT/);
    await pass(86_400);
    expect((await now(domain)).nextCheckAt, 'after a day').to.equal(null);
  });

  it('are verified once, and told of once, although two workers look at once', async () => {
    const domain = await add();
    names.zones[domain.hostname] = { CNAME: TARGET };
    time.move(60);
    await Promise.all([checkDueDomains(ON), checkDueDomains(ON), checkDueDomains(ON)]);
    const { status, verifiedBy, nextCheckAt } = await now(domain);
    expect([status, verifiedBy, (nextCheckAt?.getTime() ?? 0) - clock.now()]).to.deep.equal([
      'verified',
      'dns',
      3_600_000,
    ]);
    expect(names.asked.filter((question) => question.endsWith(` _svc-challenge.${domain.hostname}`))).to.have.length(1);
    expect(await eventsOf('domain.verified')).to.equal(1);
  });

  it('fail after three looks in a row, never at the first, and are told of once', async () => {
    const domain = await addVerified();
    delete names.zones[domain.hostname];
    const seen: string[] = [];
    for (const gap of [3600, 60, 120, 300, 300]) {
      time.move(gap);
      await Promise.all([checkDueDomains(ON), checkDueDomains(ON)]);
      seen.push((await now(domain)).status);
    }
    expect(seen).to.deep.equal(['verified', 'verified', 'failing', 'failing', 'failing']);
    expect(await Alert.count({ where: { projectId: key.projectId } })).to.equal(1);
    expect(await eventsOf('alert.created')).to.equal(1);
    names.zones[domain.hostname] = { CNAME: TARGET };
    await pass(300);
    expect(await now(domain)).to.include({ status: 'verified', failures: 0, problem: null });
    expect(await Alert.count({ where: { projectId: key.projectId, resolvedAt: null } })).to.equal(0);
    expect(await eventsOf('domain.verified'), 'a recovery is none').to.equal(1);
  });

  it('a bad minute in between is forgotten', async () => {
    const domain = await addVerified();
    const zone = names.zones[domain.hostname] as object;
    for (const bad of [true, true, false, true, true, false]) {
      names.zones[domain.hostname] = bad ? { A: 'SERVFAIL', AAAA: 'SERVFAIL' } : zone;
      await pass(3600);
    }
    expect(await now(domain)).to.include({ status: 'verified', failures: 0 });
    expect(await Alert.count({ where: { projectId: key.projectId } })).to.equal(0);
  });

  it('a fault of ours is none of theirs', async () => {
    const domain = await addVerified();
    const servers = config.dnsServers;
    config.dnsServers = ['127.0.0.1:1'];
    for (let look = 0; look < 6; look += 1) await pass(3600);
    config.dnsServers = servers;
    expect(await now(domain)).to.include({ status: 'verified', failures: 0, problem: null });
  });

  it('one that was taken by a process that died is looked at after its lease', async () => {
    const domain = await add();
    names.zones[domain.hostname] = { CNAME: TARGET };
    time.move(60);
    const stopped = AbortSignal.abort();
    await checkDueDomains(stopped);
    const dead = new AbortController();
    const looking = checkDueDomains(dead.signal);
    dead.abort();
    await looking;
    await pass(59);
    expect((await now(domain)).status).to.equal('pending');
    await pass(1);
    expect((await now(domain)).status).to.equal('verified');
  });

  it('names that hang delay no others', async function () {
    this.timeout(180_000);
    for (let hanging = 0; hanging < 12; hanging += 1) {
      const domain = await add();
      names.zones[domain.hostname] = { A: 'silence', AAAA: 'silence' };
      await inTransaction((transaction) => domain.update({ failures: 1 }, { transaction }));
    }
    const good = await add();
    names.zones[good.hostname] = { CNAME: TARGET };
    time.move(120);
    const startedAt = performance.now();
    const stopping = new AbortController();
    const looking = checkDueDomains(stopping.signal);
    while ((await now(good)).status !== 'verified') {
      expect(performance.now() - startedAt, 'milliseconds').to.be.lessThan(4500);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    stopping.abort();
    await looking;
    expect(performance.now() - startedAt, 'milliseconds until it has stopped').to.be.lessThan(6000 + LATE_MS);
  });
});
