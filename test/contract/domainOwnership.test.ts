import { expect } from 'chai';
import { clock } from '../../src/kernel/clock.ts';
import { Alert } from '../../src/models/Alert.ts';
import {
  addDomain,
  addVerified,
  proveByTxt,
  type ShownDomain,
  TARGET,
  useDomains,
  verify,
} from '../support/domains.ts';
import { expectError } from '../support/expectError.ts';
import { rawRequest } from '../support/rawRequest.ts';
import { stopClock } from '../support/stopClock.ts';
import { makeTenant, type Tenant } from '../support/tenants.ts';

const DESTINATION = 'https://www.example.com/';

describe('whose a domain is', () => {
  const { world, names, hostname } = useDomains();
  let mine: Tenant;
  let other: Tenant;

  beforeEach(async () => {
    [mine, other] = [await makeTenant(world()), await makeTenant(world())];
  });
  afterEach(() => clock.reset());

  const shown = async ({ api }: Tenant, { id }: ShownDomain) => (await api('GET', `/domains/${id}`)).body;
  const follow = async (host: string, slug: string) => (await rawRequest(world().origin, `/${slug}`, { host })).status;

  /** As after two looks, more than the first gap apart, that found nothing. */
  const fail = async ({ api }: Tenant, domain: ShownDomain) => {
    delete names().zones[domain.hostname];
    const time = stopClock();
    for (let look = 0; look < 2; look += 1) {
      time.move(61);
      await verify(api, domain);
    }
  };

  it('a verified one cannot be added elsewhere; whose it is, is not told', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    for (const tenant of [other, await makeTenant(world(), mine.teamId)]) {
      const reply = await tenant.api('POST', '/domains', { hostname: domain.hostname });
      expectError(reply, 409, 'conflict');
      for (const id of [mine.teamId, mine.projectId, 'Others']) expect(JSON.stringify(reply.body)).not.to.include(id);
    }
  });

  it('of those who wait, the first that proves it has it', async () => {
    const name = hostname();
    const [first, second] = [await addDomain(mine.api, name), await addDomain(other.api, name)];
    proveByTxt(names(), second);
    expect((await verify(other.api, second)).status).to.equal('verified');
    proveByTxt(names(), first);
    const late = await verify(mine.api, first);
    expect(late)
      .to.include({ status: 'pending' })
      .and.property('problem')
      .matches(/verified elsewhere/);
  });

  it('two who prove it at once: one has it', async () => {
    const name = hostname();
    const domains = [await addDomain(mine.api, name), await addDomain(other.api, name)];
    const values = domains.map(({ verification }) => verification[0].value);
    names().zones[`_svc-challenge.${name}`] = { TXT: values };
    const looked = await Promise.all([verify(mine.api, domains[0]), verify(other.api, domains[1])]);
    expect(looked.map(({ status }) => status).sort()).to.deep.equal(['pending', 'verified']);
  });

  it('records that lead here are no proof while another team waits for the name', async () => {
    const name = hostname();
    await addDomain(mine.api, name);
    const theirs = await addDomain(other.api, name);
    names().zones[name] = { CNAME: TARGET };
    expect((await verify(other.api, theirs)).problem).to.match(/only the TXT record/);
    proveByTxt(names(), theirs);
    expect((await verify(other.api, theirs)).status).to.equal('verified');
  });

  it('records that were left behind when it was deleted give it to nobody else', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    expect((await mine.api('DELETE', `/domains/${domain.id}`)).status).to.equal(204);
    const theirs = await addDomain(other.api, domain.hostname);
    expect((await verify(other.api, theirs)).problem).to.match(/only the TXT record/);
    await other.api('DELETE', `/domains/${theirs.id}`);
    const again = await addDomain(mine.api, domain.hostname);
    expect((await verify(mine.api, again)).status, 'their own team gets it back').to.equal('verified');
  });

  it('one that fails is told of once, goes on being served, and recovers in silence', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    const link = await mine.api('POST', '/links', { destination: DESTINATION, domain: domain.hostname, slug: 'a' });
    expect(link.status, JSON.stringify(link.body)).to.equal(201);
    await fail(mine, domain);
    expect(await shown(mine, domain))
      .to.include({ status: 'failing' })
      .and.property('problem')
      .matches(/no TXT record/);
    expect(await follow(domain.hostname, 'a')).to.equal(302);
    const open = await mine.api('GET', '/alerts?kind=domain');
    expect(open.body.data).to.have.length(1);
    expect(open.body.data[0]).to.deep.include({ severity: 'critical', resolved_at: null });
    expect(open.body.data[0].details).to.deep.include({ domain_id: domain.id, hostname: domain.hostname });
    names().zones[domain.hostname] = { CNAME: TARGET };
    expect((await verify(mine.api, domain)).status).to.equal('verified');
    const over = await mine.api('GET', '/alerts?kind=domain');
    expect(over.body.data.map((alert: ShownDomain) => alert.resolved_at === null)).to.deep.equal([false]);
    expect((await mine.api('GET', '/events?type=domain.verified')).body.data).to.have.length(1);
  });

  it('one that fails goes to whoever proves it by TXT; its links stay, and are not followed there', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    const { hostname: name } = domain;
    await mine.api('POST', '/links', { destination: DESTINATION, domain: name, slug: 'theirs' });
    await mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: name });
    await fail(mine, domain);
    const theirs = await addDomain(other.api, name);
    names().zones[name] = { CNAME: TARGET };
    expect((await verify(other.api, theirs)).problem, 'by its CNAME').to.match(/only the TXT record/);
    proveByTxt(names(), theirs);
    expect((await verify(other.api, theirs)).status).to.equal('verified');

    const lost = await shown(mine, domain);
    expect(lost)
      .to.include({ status: 'pending', verified_at: null })
      .and.property('problem')
      .matches(/verified elsewhere/);
    expect((await mine.api('GET', `/projects/${mine.projectId}`)).body.default_domain).to.equal(null);
    expect((await mine.api('GET', '/links')).body.data.map(({ slug }: ShownDomain) => slug)).to.deep.equal(['theirs']);
    const refused = await mine.api('POST', '/links', { destination: DESTINATION, domain: name });
    expectError(refused, 422, 'validation_failed');
    expect(await follow(name, 'theirs')).to.equal(404);
    await other.api('POST', '/links', { destination: DESTINATION, domain: name, slug: 'ours' });
    expect(await follow(name, 'ours')).to.equal(302);
    const alerts = await Alert.findAll({
      where: { projectId: mine.projectId, kind: 'domain' },
      order: [['id', 'ASC']],
    });
    expect(alerts.map(({ resolvedAt }) => resolvedAt === null)).to.deep.equal([false, true]);
    expect(alerts[1]?.title).to.match(/no longer yours/);
  });
});
