// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { Alert } from '../../../src/models/Alert.ts';
import {
  addDomain,
  addVerified,
  proveByTxt,
  type ShownDomain,
  TARGET,
  useDomains,
  verify,
} from '../../support/domains.ts';
import { expectError } from '../../support/expectError.ts';
import { importCsv } from '../../support/imports.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';

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

  it('one with a TXT record cannot be added elsewhere; whose it is, is not told', async () => {
    const domain = await addDomain(mine.api, hostname());
    proveByTxt(names(), domain);
    expect((await verify(mine.api, domain)).status).to.equal('verified');
    for (const tenant of [other, await makeTenant(world(), mine.teamId)]) {
      const reply = await tenant.api('POST', '/domains', { hostname: domain.hostname });
      expectError(reply, 409, 'conflict');
      for (const id of [mine.teamId, mine.projectId, 'Others']) expect(JSON.stringify(reply.body)).not.to.include(id);
    }
  });

  it('one that only leads here cannot be added by another project of the team', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    const colleague = await makeTenant(world(), mine.teamId);
    expectError(await colleague.api('POST', '/domains', { hostname: domain.hostname }), 409, 'conflict');
  });

  it('one that only leads here goes to whoever proves it by TXT; both teams are told', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    const { hostname: name } = domain;
    await mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: name });
    await mine.api('POST', '/links', { destination: DESTINATION, slug: 'spring' });
    expect(await follow(name, 'spring')).to.equal(302);
    const theirs = await addDomain(other.api, name);
    expect(theirs.verification.map((record: ShownDomain) => record.type)).to.deep.equal(['TXT', 'CNAME']);
    expect((await verify(other.api, theirs)).problem, 'by its CNAME').to.match(/only the TXT record/);
    expect((await shown(mine, domain)).status, 'until then').to.equal('verified');
    proveByTxt(names(), theirs);
    expect(await verify(other.api, theirs)).to.include({ status: 'verified', problem: null });

    const lost = await shown(mine, domain);
    expect(lost).to.include({ status: 'pending', verified_at: null });
    expect((await mine.api('GET', `/projects/${mine.projectId}`)).body.default_domain).to.equal(null);
    expect(await follow(name, 'spring'), 'the link of the former holder').to.equal(404);
    const alerts = async ({ api }: Tenant) => (await api('GET', '/alerts?kind=domain')).body.data;
    expect((await alerts(mine)).map(({ title }: ShownDomain) => title)).to.deep.equal([
      `${name} was taken over by another team`,
    ]);
    expect((await alerts(other)).map(({ title, resolved_at }: ShownDomain) => [title, resolved_at])).to.deep.equal([
      [`${name} was taken over from another team`, null],
    ]);
    expect((await other.api('GET', '/events?type=domain.verified')).body.data).to.have.length(1);
    expect((await verify(mine.api, domain)).status, 'it cannot be had back by leading here').to.equal('pending');
    expectError(await mine.api('POST', '/domains', { hostname: name }), 409, 'conflict');
  });

  it('who sets a TXT record too keeps what led here', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    const theirs = await addDomain(other.api, domain.hostname);
    const [txt] = domain.verification;
    names().zones[txt.name] = { TXT: [txt.value, theirs.verification[0].value] };
    const [kept, late] = [await verify(mine.api, domain), await verify(other.api, theirs)];
    expect([kept.status, late.status]).to.deep.equal(['verified', 'pending']);
    expect(late.problem).to.match(/verified in another project/);
  });

  it('of two who prove at once what leads here for a third, one has it', async () => {
    const { hostname: name } = await addVerified(mine.api, names(), hostname());
    const third = await makeTenant(world());
    const rivals = [await addDomain(other.api, name), await addDomain(third.api, name)];
    names().zones[`_svc-challenge.${name}`] = { TXT: rivals.map(({ verification }) => verification[0].value) };
    const looked = await Promise.all([verify(other.api, rivals[0]), verify(third.api, rivals[1])]);
    expect(looked.map(({ status }) => status).sort()).to.deep.equal(['pending', 'verified']);
    const taken = await Alert.findAll({ where: { projectId: mine.projectId, kind: 'domain' } });
    expect(taken).to.have.length(1);
  });

  it('links that were left behind keep no slug from whoever has the name', async () => {
    const { hostname: name } = await addVerified(mine.api, names(), hostname());
    const slugs = ['one', 'two', 'three', 'four'];
    const left: ShownDomain[] = [];
    for (const slug of slugs)
      left.push((await mine.api('POST', '/links', { destination: DESTINATION, domain: name, slug })).body);
    const theirs = await addDomain(other.api, name);
    proveByTxt(names(), theirs);
    expect((await verify(other.api, theirs)).status).to.equal('verified');

    const link = (slug: string) => ({ destination: 'https://www.example.com/ours', domain: name, slug });
    expectError(await mine.api('PATCH', `/links/${left[0].id}`, { slug: 'two' }), 409, 'slug_taken');
    expect((await other.api('POST', '/links', link('one'))).status).to.equal(201);
    const bulk = await other.api('POST', '/links/bulk', { links: [link('two'), link('five')] });
    expect(bulk.body.counts).to.deep.equal({ created: 2, failed: 0 });
    const { results } = bulk.body;
    expect((await other.api('PATCH', `/links/${results[1].link.id}`, { slug: 'three' })).body.slug).to.equal('three');
    const csv = `destination,domain,slug\nhttps://www.example.com/ours,${name},four\n`;
    expect((await importCsv(other.api, csv)).counts).to.include({ created: 1, failed: 0 });
    for (const slug of slugs) expect(await follow(name, slug), slug).to.equal(302);

    const { body } = await mine.api('GET', '/links?order=asc');
    expect(body.data.map((one: ShownDomain) => one.slug.split('~')[0])).to.deep.equal(slugs);
    for (const one of body.data) expect(one.slug).to.match(/^[a-z]+~\w{14}$/);
    expectError(await mine.api('PATCH', `/links/${left[0].id}`, { slug: 'one' }), 409, 'slug_taken');
    const told = (await mine.api('GET', `/events?type=link.updated&link_id=${left[0].id}`)).body.data;
    expect(told).to.have.length(1);
    expect(told[0].data.changes.slug).to.deep.include({ from: 'one' });
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
      .matches(/verified in another project/);
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
      .matches(/verified in another project/);
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
    expect(alerts[1]?.title).to.match(/taken over by another team/);
  });
});
