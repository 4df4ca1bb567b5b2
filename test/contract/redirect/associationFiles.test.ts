// stores: any
import { expect } from 'chai';
import { announce } from '../../../src/db/announce.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { log } from '../../../src/kernel/log.ts';
import { signals } from '../../../src/kernel/signals.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { type RawAsk, rawRequest } from '../../support/rawRequest.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

/** Where links of all teams are. */
const SHARED = 'go.links.example';
const OWN = 'links.neighbours.example';
const APPLE = '/.well-known/apple-app-site-association';
const ANDROID = '/.well-known/assetlinks.json';
const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':');
const OTHER_FINGERPRINT = Array.from({ length: 32 }, () => '01').join(':');

const iosApp = (bundle_id: string, team_id = 'ABCDE12345') => ({
  platform: 'ios',
  bundle_id,
  team_id,
  app_store_id: null,
  scheme: null,
});
const androidApp = (name: string, ...sha256_fingerprints: string[]) => ({
  platform: 'android',
  package: name,
  sha256_fingerprints,
  scheme: null,
});
const statement = (package_name: string, ...sha256_cert_fingerprints: string[]) => ({
  relation: ['delegate_permission/common.handle_all_urls'],
  target: { namespace: 'android_app', package_name, sha256_cert_fingerprints },
});

describe('association files', () => {
  let world: World;
  let mine: Tenant;
  let neighbours: Tenant;
  const warnings: string[] = [];
  const { warn } = log;

  before(async () => {
    world = await startWorld({ SCANNER_BURST_LINKS: '0', LINK_DOMAIN: SHARED });
    log.warn = ((...given: unknown[]) => void warnings.push(String(given.at(-1)))) as typeof warn;
    mine = await firstTenant(world);
    neighbours = await makeTenant(world);
    const verifiedAt = new Date();
    await inTransaction(async (transaction) => {
      const own = { projectId: neighbours.projectId, kind: 'link' };
      await Domain.create({ id: newId('dom'), hostname: OWN, status: 'verified', verifiedAt, ...own }, { transaction });
      await announce(transaction, 'domain', OWN);
    });
  });
  after(async () => {
    log.warn = warn;
    await world.stop();
  });

  const setApps = async ({ api, projectId }: Tenant, apps: object[] | null) => {
    const { status, body } = await api('PATCH', `/projects/${projectId}`, { apps });
    expect(status, JSON.stringify(body)).to.equal(200);
  };
  const ask = (path: string, more: RawAsk = {}) => rawRequest(world.origin, path, { host: SHARED, ...more });
  const read = async (path: string, host = SHARED) => {
    const reply = await ask(path, { host });
    expect(reply.status, reply.body).to.equal(200);
    return JSON.parse(reply.body);
  };
  const appIdsOf = async (host?: string) =>
    (await read(APPLE, host)).applinks.details.flatMap(({ appIDs }: { appIDs: string[] }) => appIDs);

  it('404 without apps of the platform, as a page', async () => {
    for (const path of [APPLE, '/apple-app-site-association', ANDROID, '/.well-known/other', '/.well-known/']) {
      for (const host of [SHARED, OWN]) {
        const reply = await ask(path, { host });
        expect([reply.status, reply.headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8']);
      }
    }
    await setApps(mine, [iosApp('com.example.app')]);
    expect((await ask(ANDROID)).status).to.equal(404);
    await setApps(mine, [androidApp('com.example.app', FINGERPRINT)]);
    expect((await ask(APPLE)).status).to.equal(404);
    await setApps(mine, [androidApp('com.example.app')]);
    expect((await ask(ANDROID)).status, 'no fingerprints').to.equal(404);
  });

  it('names every iOS app with the paths that are links', async () => {
    await setApps(mine, [
      iosApp('com.example.app'),
      androidApp('a.b', FINGERPRINT),
      iosApp('com.example.two', 'ZYXWV98765'),
    ]);
    for (const path of [APPLE, '/apple-app-site-association']) {
      const { applinks } = await read(path);
      expect(applinks.details).to.have.length(1);
      const [{ appIDs, components }] = applinks.details;
      expect(appIDs).to.deep.equal(['ABCDE12345.com.example.app', 'ZYXWV98765.com.example.two']);
      expect(components.at(-1)).to.deep.equal({ '/': '/*' });
      const excluded = components.slice(0, -1);
      expect(excluded.every(({ exclude }: { exclude: boolean }) => exclude === true)).to.equal(true);
      const paths = excluded.map((component: { '/': string }) => component['/']);
      expect(paths).to.deep.equal(['/', '/.well-known/*', '/apple-app-site-association', '/*+']);
    }
  });

  it('names every Android app with its fingerprints', async () => {
    const two = [FINGERPRINT, OTHER_FINGERPRINT];
    await setApps(mine, [
      androidApp('com.example.app', ...two),
      iosApp('com.example.app'),
      androidApp('com.two', FINGERPRINT),
    ]);
    const expected = [statement('com.example.app', ...two), statement('com.two', FINGERPRINT)];
    expect(await read(ANDROID)).to.deep.equal(expected);
  });

  it("names a project's apps on its domain, and on the shared one those of the team of the first start", async () => {
    await setApps(mine, [iosApp('com.example.app')]);
    await setApps(neighbours, [iosApp('com.neighbours.app')]);
    expect(await appIdsOf(OWN)).to.deep.equal(['ABCDE12345.com.neighbours.app']);
    await neighbours.api('PATCH', `/projects/${neighbours.projectId}`, { default_domain: SHARED });
    expect(await appIdsOf()).to.deep.equal(['ABCDE12345.com.example.app']);
    config.sharedDomainApps = 'all';
    signals.emit('project', mine.projectId);
    expect(await appIdsOf()).to.deep.equal(['ABCDE12345.com.example.app', 'ABCDE12345.com.neighbours.app']);
    config.sharedDomainApps = 'first';
    signals.emit('project', mine.projectId);
  });

  it('404 on the host of our own pages, links there or not', async () => {
    const both = [iosApp('com.example.app'), androidApp('com.example.app', FINGERPRINT)];
    await setApps(mine, both);
    const base = new URL(config.baseUrl).host;
    const { linkDomain } = config;
    for (const host of [linkDomain, base]) {
      config.linkDomain = host;
      for (const path of [APPLE, '/apple-app-site-association', ANDROID]) {
        expect((await ask(path, { host: base })).status, path).to.equal(404);
      }
    }
    config.linkDomain = linkDomain;
  });

  it('is application/json without a redirect, kept for five minutes, for HEAD too; 405 otherwise', async () => {
    await setApps(mine, [iosApp('com.example.app'), androidApp('com.example.app', FINGERPRINT)]);
    for (const path of [APPLE, '/apple-app-site-association', ANDROID, `${ANDROID}?v=1`])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await ask(path, { method });
        expect(status).to.equal(200);
        expect(headers).to.include({ 'content-type': 'application/json', 'cache-control': 'public, max-age=300' });
        expect(Number(headers['content-length'])).to.be.greaterThan(50);
        expect(body === '').to.equal(method === 'HEAD');
      }
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await ask(APPLE, { method })).status).to.equal(405);
    expect((await ask(APPLE, { method: 'POST' })).headers.allow).to.equal('GET, HEAD');
  });

  it('shows a change of the apps at once, and stays available while the store is down', async () => {
    for (const name of ['com.example.one', 'com.example.two', 'com.example.three']) {
      await setApps(neighbours, [iosApp(name)]);
      expect(await appIdsOf(OWN)).to.deep.equal([`ABCDE12345.${name}`]);
    }
    signals.emit('project', neighbours.projectId);
    await renameTable('projects', 'projects_away');
    const known = await ask(APPLE, { host: OWN });
    await renameTable('projects_away', 'projects');
    expect(known.status).to.equal(200);
    await setApps(neighbours, null);
    expect((await ask(APPLE, { host: OWN })).status).to.equal(404);
  });

  it('yields to a link with that slug', async () => {
    const destination = 'https://www.example.com/';
    await setApps(mine, [iosApp('com.example.app')]);
    expect((await ask('/apple-app-site-association')).status).to.equal(200);
    const { body } = await mine.api('POST', '/links', { slug: 'apple-app-site-association', destination });
    expect((await ask('/apple-app-site-association')).headers.location).to.equal(destination);
    await mine.api('DELETE', `/links/${body.id}`);
    expect((await ask('/apple-app-site-association')).status).to.equal(200);
  });

  it('warns when apps are registered and links share the host of our own pages', async () => {
    warnings.length = 0;
    const { linkDomain } = config;
    await setApps(mine, [iosApp('com.example.app')]);
    expect(warnings).to.deep.equal([]);
    config.linkDomain = new URL(config.baseUrl).host;
    await setApps(mine, []);
    expect(warnings).to.deep.equal([]);
    await setApps(mine, [iosApp('com.example.app')]);
    config.linkDomain = linkDomain;
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('LINK_DOMAIN').and.include('links open no app');
  });

  describe('apps that are refused', () => {
    const refuse = async (app: object, field: string, message: RegExp) => {
      const { status, body } = await mine.api('PATCH', `/projects/${mine.projectId}`, { apps: [app] });
      expect(status).to.equal(422);
      expect(body.error.fields, JSON.stringify(app)).to.have.length(1);
      expect(body.error.fields[0].path).to.equal(`apps.0.${field}`);
      expect(body.error.fields[0].message).to.match(message);
    };

    it('say which fingerprint was given and which is wanted', async () => {
      const sha1 = Array.from({ length: 20 }, () => 'AB').join(':');
      const table: [string, RegExp][] = [
        [FINGERPRINT.toLowerCase(), /capital hex digits with colons.*: AB:AB:/],
        [FINGERPRINT.replaceAll(':', ''), /with colons.*: AB:AB:/],
        [FINGERPRINT.replaceAll(':', ' '), /nothing else: AB:AB:/],
        [` ${FINGERPRINT}`, /nothing else: AB:AB:/],
        [`SHA256: ${FINGERPRINT}`, /nothing else: AB:AB:/],
        [`SHA-256:${FINGERPRINT}`, /nothing else: AB:AB:/],
        [sha1, /^This is a SHA-1 fingerprint \(20 bytes\): take the SHA256 line of keytool/],
        [`SHA1: ${sha1.toLowerCase()}`, /SHA-1 fingerprint/],
        [sha1.slice(0, 47), /an MD5 fingerprint/],
        [`${FINGERPRINT}:AB`, /33 bytes/],
        [Buffer.alloc(20, 1).toString('base64'), /key hash/],
        [Buffer.alloc(32, 1).toString('base64'), /base64/],
        ['', /32 pairs/],
        ['fingerprint', /32 pairs/],
      ];
      for (const [given, message] of table) {
        await refuse(androidApp('com.example.app', given), 'sha256_fingerprints.0', message);
      }
    });

    it('say which field an id belongs in and how it is written', async () => {
      const ios = iosApp('com.example.app');
      const table: [object, string, RegExp][] = [
        [{ ...ios, bundle_id: 'ABCDE12345.com.example' }, 'bundle_id', /team id.*team_id.*"com\.example"/],
        [{ ...ios, bundle_id: 'ABCDE12345' }, 'bundle_id', /This is a team id/],
        [{ ...ios, bundle_id: 'com.example.*' }, 'bundle_id', /wildcard/],
        [{ ...ios, bundle_id: 'com.example_app' }, 'bundle_id', /underscores/],
        [{ ...ios, bundle_id: 'example' }, 'bundle_id', /such as com\.example\.app/],
        [{ ...ios, team_id: 'abcde12345' }, 'team_id', /capitals: "ABCDE12345"/],
        [{ ...ios, team_id: 'ABCDE12345.com.example' }, 'team_id', /alone, "ABCDE12345"/],
        [{ ...ios, team_id: 'My Company' }, 'team_id', /ten capital letters/],
        [{ ...ios, app_store_id: 'id123456789' }, 'app_store_id', /digits alone: "123456789"/],
        [{ ...ios, app_store_id: 'https://apps.apple.com/de/app/x/id123456789?mt=8' }, 'app_store_id', /"123456789"/],
        [{ ...ios, app_store_id: 'com.example.app' }, 'app_store_id', /not an App Store id/],
        [androidApp('com.example-inc.app'), 'package', /no dashes/],
        [androidApp('com.example.*'), 'package', /wildcard/],
        [androidApp('example'), 'package', /two parts/],
        [androidApp('com.1example'), 'package', /begins with a letter/],
      ];
      for (const [app, field, message] of table) await refuse(app, field, message);
    });
  });
});
