// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { Domain } from '../../../src/models/Domain.ts';
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
import { graphql } from '../../support/graphql.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { stopClock } from '../../support/stopClock.ts';
import { MEMBER_PASSWORD, makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';

const DELETE = 'mutation ($id: ID!, $password: String!) { deleteProject(id: $id, password: $password) { id } }';
const RESTORE = 'mutation ($id: ID!) { restoreProject(id: $id) { id } }';
const DESTINATION = 'https://www.example.com/';

describe('a domain of a deleted project', () => {
  const { world, names, hostname } = useDomains();
  let mine: Tenant;
  let other: Tenant;
  let owner: string;

  beforeEach(async () => {
    [mine, other] = [await makeTenant(world()), await makeTenant(world())];
    owner = await memberSession(world(), mine.teamId, 'owner');
  });
  afterEach(() => clock.reset());

  const ask = async (query: string, variables: object) => {
    const { errors } = await graphql(world().origin, query, { id: mine.projectId, ...variables }, owner);
    expect(errors).to.equal(undefined);
  };
  const deleteIt = () => ask(DELETE, { password: MEMBER_PASSWORD });
  const restoreIt = () => ask(RESTORE, {});
  const shown = async ({ api }: Tenant, { id }: ShownDomain) => (await api('GET', `/domains/${id}`)).body;
  const follow = async (host: string, slug: string) => (await rawRequest(world().origin, `/${slug}`, { host })).status;
  const addProvenByTxt = async () => {
    const domain = await addDomain(mine.api, hostname());
    proveByTxt(names(), domain);
    expect((await verify(mine.api, domain)).status).to.equal('verified');
    return domain;
  };
  const isRefused = async (name: string) =>
    expectError(await other.api('POST', '/domains', { hostname: name }), 409, 'conflict');

  it('goes to another team’s TXT record where it only led here, and is pending after the restoration', async () => {
    const domain = await addVerified(mine.api, names(), hostname());
    const { hostname: name } = domain;
    await mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: name });
    await mine.api('POST', '/links', { destination: DESTINATION, slug: 'spring' });
    await deleteIt();
    const theirs = await addDomain(other.api, name);
    expect((await verify(other.api, theirs)).problem, 'by its CNAME').to.match(/only the TXT record/);
    proveByTxt(names(), theirs);
    expect(await verify(other.api, theirs)).to.include({ status: 'verified', problem: null });
    const link = { destination: DESTINATION, slug: 'spring', domain: name };
    expect((await other.api('POST', '/links', link)).status, 'a slug that was left behind').to.equal(201);
    expect(await follow(name, 'spring')).to.equal(302);

    await restoreIt();
    expect(await shown(mine, domain)).to.include({ status: 'pending', verified_at: null });
    expect((await mine.api('GET', `/projects/${mine.projectId}`)).body.default_domain).to.equal(null);
    const { body } = await mine.api('GET', '/alerts?kind=domain');
    expect(body.data.map(({ title }: ShownDomain) => title)).to.deep.equal([`${name} was taken over by another team`]);
    const [left] = (await mine.api('GET', '/links')).body.data;
    expect(left.slug).to.match(/^spring~/);
    expect(await follow(name, left.slug)).to.equal(404);
    expect((await verify(mine.api, domain)).status).to.equal('pending');
  });

  it('is kept by its TXT record, and verified after the restoration', async () => {
    const domain = await addProvenByTxt();
    await deleteIt();
    await isRefused(domain.hostname);
    await restoreIt();
    expect((await shown(mine, domain)).status).to.equal('verified');
  });

  it('is not kept by a TXT record that was gone before', async () => {
    const domain = await addProvenByTxt();
    names().zones[domain.hostname] = { CNAME: TARGET };
    for (const record of domain.verification) if (record.type === 'TXT') delete names().zones[record.name];
    await inTransaction((transaction) =>
      Domain.update({ status: 'failing', failures: 2 }, { where: { id: domain.id }, transaction }),
    );
    await deleteIt();
    const theirs = await addDomain(other.api, domain.hostname);
    proveByTxt(names(), theirs);
    expect((await verify(other.api, theirs)).status).to.equal('verified');
  });

  it('is kept for one deletion only, although the project is restored and deleted again before a look', async () => {
    const { id, hostname: name } = await addProvenByTxt();
    const time = stopClock();
    await deleteIt();
    time.move(6 * 86_400);
    await isRefused(name);
    const { checkedAt } = (await Domain.findByPk(id)) as Domain;
    await restoreIt();
    await deleteIt();
    // As if no look had come in between.
    await inTransaction((transaction) => Domain.update({ checkedAt }, { where: { id }, transaction }));
    time.move(6 * 86_400);
    const theirs = await addDomain(other.api, name);
    proveByTxt(names(), theirs);
    expect((await verify(other.api, theirs)).status).to.equal('verified');
  });
});
