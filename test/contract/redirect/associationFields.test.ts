// stores: any
import { expect } from 'chai';
import { announce } from '../../../src/db/announce.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { signals } from '../../../src/kernel/signals.ts';
import { graphql } from '../../support/graphql.ts';
import { addLinkDomain } from '../../support/linkDomains.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useOwnWorld } from '../../support/world.ts';

/** Where links of all teams are, and a domain of one project. */
const SHARED = 'go.links.example';
const OWN = 'links.neighbours.example';
const QUERY = `query ($id: ID!, $host: String) { project(id: $id) {
  associationFiles(host: $host) { host appleUrl apple androidUrl android problem } } }`;
const IOS = { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' };
const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':');
const android = (...sha256_fingerprints: string[]) => ({
  ...{ platform: 'android', package: 'com.example.app', sha256_fingerprints },
});

describe('association files in GraphQL', () => {
  const world = useOwnWorld({ LINK_DOMAIN: SHARED, SCANNER_BURST_LINKS: '0' });
  let mine: Tenant;
  let others: Tenant;
  let viewer: string;
  let stranger: string;

  before(async () => {
    mine = await firstTenant(world);
    others = await makeTenant(world);
    await addLinkDomain(others.projectId, OWN);
    await inTransaction((transaction) => announce(transaction, 'domain', OWN));
    viewer = await memberSession(world, mine.teamId, 'viewer');
    stranger = await memberSession(world, others.teamId, 'viewer');
  });

  const ask = (tenant: Tenant, host: string | null = null, cookie = tenant === mine ? viewer : stranger) =>
    graphql(world.origin, QUERY, { id: tenant.projectId, host }, cookie);
  const filesOf = async (tenant: Tenant, host?: string) => {
    const { data, errors } = await ask(tenant, host);
    expect(errors).to.equal(undefined);
    return data.project.associationFiles;
  };
  const setApps = async ({ api, projectId }: Tenant, apps: object[]) => {
    expect((await api('PATCH', `/projects/${projectId}`, { apps })).status).to.equal(200);
    signals.emit('project', projectId);
  };
  /** That the texts are what a device receives. */
  const expectServed = async ({ host, apple, android }: Record<string, string>) => {
    for (const [path, text] of [
      ['/.well-known/apple-app-site-association', apple],
      ['/.well-known/assetlinks.json', android],
    ]) {
      const reply = await rawRequest(world.origin, path as string, { host: host as string });
      expect(reply.status, path as string).to.equal(text === null ? 404 : 200);
      if (text !== null) expect(reply.body).to.equal(text);
    }
  };

  it('are those that are served on the default domain, or on the one that is asked for', async () => {
    await setApps(mine, [IOS, android(FINGERPRINT)]);
    const shared = await filesOf(mine);
    expect(shared).to.include({ host: SHARED, problem: null });
    expect(new URL(shared.appleUrl).pathname).to.equal('/.well-known/apple-app-site-association');
    expect(new URL(shared.androidUrl).host).to.include(SHARED);
    expect(JSON.parse(shared.apple).applinks.details[0].appIDs).to.deep.equal(['ABCDE12345.com.example.app']);
    expect(JSON.parse(shared.android)[0].target.package_name).to.equal('com.example.app');
    await expectServed(shared);
    await setApps(others, [{ ...IOS, bundle_id: 'com.others.app' }]);
    const own = await filesOf(others, OWN.toUpperCase());
    expect(own).to.include({ host: OWN, android: null, problem: null });
    expect(own.apple).to.include('com.others.app');
    await expectServed(own);
    await others.api('PATCH', `/projects/${others.projectId}`, { default_domain: OWN });
    expect((await filesOf(others)).host).to.equal(OWN);
  });

  it('say why none names an app of the project', async () => {
    await setApps(mine, [IOS]);
    await setApps(others, []);
    expect(await filesOf(others, OWN))
      .to.include({ apple: null, android: null })
      .and.to.have.property('problem')
      .that.matches(/no app yet/);
    await setApps(others, [android()]);
    expect((await filesOf(others, OWN)).problem).to.match(/fingerprint/);
    const shared = await filesOf(others, SHARED);
    expect(shared.problem).to.match(/all teams share this domain/);
    expect(shared.apple).to.include('com.example.app');
    await expectServed(shared);
    const { linkDomain } = config;
    config.linkDomain = new URL(config.baseUrl).host;
    const base = await filesOf(mine);
    config.linkDomain = linkDomain;
    expect(base).to.include({ apple: null, android: null });
    expect(base.problem).to.match(/host of BASE_URL/);
  });

  it('refuse hosts that are not of the project, and are read in survival mode', async () => {
    for (const host of [OWN, 'nowhere.example', 'x y']) {
      const { errors } = await ask(mine, host);
      expect(errors?.[0]?.extensions).to.include({ code: 'validation_failed' });
      expect(JSON.stringify(errors?.[0]?.extensions.fields)).to.include('"path":"host"');
    }
    expect((await ask(mine, null, stranger)).errors?.[0]?.extensions.code).to.equal('not_found');
    const owner = await ownerSession(world);
    const change = (mutation: string) => graphql(world.origin, `mutation { ${mutation} { id } }`, {}, owner);
    await change(`enterSurvivalMode(teamId: "${mine.teamId}", reason: "test")`);
    expect((await filesOf(mine)).host).to.equal(SHARED);
    await change(`leaveSurvivalMode(teamId: "${mine.teamId}")`);
  });
});
