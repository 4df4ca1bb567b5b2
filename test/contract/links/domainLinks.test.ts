// stores: any
import { expect } from 'chai';
import { shortUrl } from '../../../src/kernel/origins.ts';
import { createLink } from '../../support/createLink.ts';
import { addDomain, addVerified, TARGET, useDomains } from '../../support/domains.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { importCsv } from '../../support/imports.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

const DESTINATION = 'https://www.example.com/';

describe('links on domains of a project', () => {
  const { world, names, hostname } = useDomains({ IMPORT_POLL_MILLISECONDS: '3600000' });
  let mine: Tenant;
  let domain: { id: string; hostname: string };
  let name: string;

  before(async () => {
    mine = await makeTenant(world());
    domain = await addVerified(mine.api, names(), hostname());
    name = domain.hostname;
  });

  const make = (body: object) => mine.api('POST', '/links', { destination: DESTINATION, ...body });
  const ask = (host: string, path: string) => rawRequest(world().origin, path, { host });

  it('are followed by their host, in whatever spelling, and with its port where things are tried out', async () => {
    const { slug, ...link } = await createLink(mine.api, {
      destination: DESTINATION,
      domain: `${name.toUpperCase()}.`,
    });
    expect(link).to.deep.include({ domain: name, short_url: shortUrl(name, slug) });
    const port = new URL(world().origin).port;
    for (const host of [name, `${name}.`, name.toUpperCase(), `${name}:${port}`]) {
      const reply = await ask(host, `/${slug}`);
      expect([reply.status, reply.headers.location], host).to.deep.equal([302, DESTINATION]);
    }
    expect((await ask(TARGET, `/${slug}`)).status, 'on another domain').to.equal(404);
  });

  it('a host is served within a second of its verification, and no more after its deletion', async () => {
    const fresh = hostname();
    expect((await ask(fresh, '/')).body).to.match(/not served here/);
    const { id } = await addDomain(mine.api, fresh, { root_destination: DESTINATION });
    const leadsTo = async () => (await ask(fresh, '/')).headers.location;
    expect((await ask(fresh, '/')).body).to.match(/not served here/);
    names().zones[fresh] = { CNAME: TARGET };
    await mine.api('POST', `/domains/${id}/verify`);
    await until(async () => (await leadsTo()) === DESTINATION, 'the first destination', 2000);
    await mine.api('PATCH', `/domains/${id}`, { root_destination: `${DESTINATION}2` });
    await until(async () => (await leadsTo()) === `${DESTINATION}2`, 'the second destination', 2000);
    await mine.api('DELETE', `/domains/${id}`);
    await until(async () => /not served here/.test((await ask(fresh, '/')).body), 'the domain to be gone', 2000);
  });

  it('422 with what can be used, for what is not theirs, not verified, or for pages', async () => {
    const others = await addVerified((await makeTenant(world(), mine.teamId)).api, names(), hostname());
    const waiting = await addDomain(mine.api, hostname());
    const pages = await addDomain(mine.api, hostname(), { kind: 'web' });
    for (const { hostname: bad } of [others, waiting, pages]) {
      const reply = await make({ domain: bad });
      expectInvalid(reply, 'domain');
      expect(reply.body.error.fields[0].message).to.include(TARGET).and.include(name).and.not.include(bad);
    }
    const reply = await make({ domain: others.hostname, destination: 'javascript:1', expires_at: 'soon' });
    expectInvalid(reply, 'domain', 'destination', 'expires_at');
  });

  it('in bulk, by upsert and by change', async () => {
    const links = [
      { destination: DESTINATION, domain: name, external_id: 'b1' },
      { destination: DESTINATION, domain: 'not.ours.com' },
      { destination: DESTINATION },
    ];
    const { body } = await mine.api('POST', '/links/bulk', { links });
    expect(body.results.map((one: { link: { domain: string } | null }) => one.link?.domain ?? null)).to.deep.equal([
      name,
      null,
      TARGET,
    ]);
    const upserted = await mine.api('PUT', '/links/external/b2', { destination: DESTINATION, domain: name });
    expect([upserted.status, upserted.body.domain]).to.deep.equal([201, name]);
    const moved = await mine.api('PATCH', '/links/ext_b2', { domain: TARGET });
    expect([moved.status, moved.body.domain]).to.deep.equal([200, TARGET]);
    const back = await mine.api('PATCH', '/links/bulk', { ids: ['ext_b2'], set: { domain: name } });
    expect(back.body.results[0].link.domain).to.equal(name);
    expectInvalid(await mine.api('PATCH', '/links/ext_b2', { domain: 'not.ours.com' }), 'domain');
  });

  it('by import', async () => {
    const csv = `destination,domain,slug\n${DESTINATION},${name},imp\n${DESTINATION},not.ours.com,imp2\n`;
    const { counts } = await importCsv(mine.api, csv);
    expect(counts).to.deep.include({ created: 1, failed: 1 });
    expect((await ask(name, '/imp')).status).to.equal(302);
  });

  it('are found by domain, short URL and filter', async () => {
    const link = await createLink(mine.api, { destination: DESTINATION, domain: name, slug: 'found' });
    const find = async (query: Record<string, string>) =>
      (await mine.api('GET', `/links/lookup?${new URLSearchParams(query)}`)).body.id;
    expect(await find({ short_url: shortUrl(name, 'found') })).to.equal(link.id);
    expect(await find({ domain: name, slug: 'found' })).to.equal(link.id);
    const count = (await mine.api('GET', `/links/count?domain=${name}`)).body.count;
    const all = (await mine.api('GET', '/links/count?group_by=domain')).body.data;
    expect(all).to.deep.include({ key: name, count });
  });

  it('by default, when the project says so', async () => {
    const setDefault = (value: string | null) =>
      mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: value });
    expectInvalid(await setDefault('not.ours.com'), 'default_domain');
    expect((await setDefault(name.toUpperCase())).body.default_domain).to.equal(name);
    expect((await make({})).body.domain).to.equal(name);
    const other = await addVerified(mine.api, names(), hostname());
    await setDefault(other.hostname);
    expect((await mine.api('DELETE', `/domains/${other.id}`)).status).to.equal(204);
    expect((await make({})).body.domain, 'after its deletion').to.equal(TARGET);
  });

  it('open the apps of their project, which open no links on the domain of all', async () => {
    const { api, projectId } = await makeTenant(world());
    const own = await addVerified(api, names(), hostname());
    const bundle = `com.customer.${projectId.slice('prj_'.length)}`;
    const apps = [{ platform: 'ios', bundle_id: bundle, team_id: 'ABCDE12345' }];
    const changed = await api('PATCH', `/projects/${projectId}`, { apps, default_domain: own.hostname });
    expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
    for (const [host, isIn] of [
      [own.hostname, true],
      [TARGET, false],
      [name, false],
    ] as const) {
      const { body } = await ask(host, '/.well-known/apple-app-site-association');
      expect(body.includes(bundle), host).to.equal(isIn);
    }
  });

  it('a domain with links is not deleted; it says how many', async () => {
    const used = await addVerified(mine.api, names(), hostname());
    const made = [];
    for (const archived of [false, true]) {
      const link = await createLink(mine.api, { destination: DESTINATION, domain: used.hostname });
      if (archived) await mine.api('POST', `/links/${link.id}/archive`);
      made.push(link.id);
    }
    const reply = await mine.api('DELETE', `/domains/${used.id}`);
    expectError(reply, 409, 'conflict');
    expect(reply.body.error.message).to.include('2 links');
    for (const id of made) await mine.api('DELETE', `/links/${id}`);
    expect((await mine.api('DELETE', `/domains/${used.id}`)).status).to.equal(204);
  });

  it('links that are made while their domain is deleted are refused, or keep it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const used = await addVerified(mine.api, names(), hostname());
      const [deleted, ...made] = await Promise.all([
        mine.api('DELETE', `/domains/${used.id}`),
        ...[1, 2, 3].map(() => make({ domain: used.hostname })),
      ]);
      const landed = made.filter(({ status }) => status === 201).length;
      expect(landed > 0, `${deleted?.status} and ${landed} links`).to.equal(deleted?.status === 409);
      for (const reply of made) expect(reply.status).to.be.oneOf([201, 422]);
    }
  });

  it('a link that leads to one is a loop, whoever makes it', async () => {
    const { api } = await makeTenant(world());
    const reply = await api('POST', '/links', { destination: shortUrl(name, 'x') });
    expectError(reply, 422, 'destination_refused');
    expect(reply.body.error.message).to.include('own_host');
    await createLink(api, { destination: `https://www.${name}/` });
  });
});
