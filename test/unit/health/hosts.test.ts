// stores: none
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { checkAppleFiles } from '../../../src/health/checks/checkAppleFiles.ts';
import { checkAssetLinks } from '../../../src/health/checks/checkAssetLinks.ts';
import { checkStorePages } from '../../../src/health/checks/checkStorePages.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import type { AndroidApp, App, IosApp } from '../../../src/models/Project.ts';
import { appLinks, assetLinks } from '../../../src/redirect/association.ts';
import { freePort } from '../../support/child.ts';
import { askingFor, healthSubject } from '../../support/healthSubject.ts';
import { Loopback } from '../../support/loopback.ts';
import { NameServer } from '../../support/nameServer.ts';

const NAME = 'go.acme.test';
const PRINT = Array.from({ length: 32 }, (_, at) => (at + 160).toString(16).toUpperCase()).join(':');
const IOS: IosApp = {
  platform: 'ios',
  bundle_id: 'com.acme.app',
  team_id: 'ABCDE12345',
  app_store_id: '1234567',
  scheme: null,
};
const ANDROID: AndroidApp = {
  platform: 'android',
  package: 'com.acme.app',
  sha256_fingerprints: [PRINT],
  scheme: null,
};

describe('health checks of apps', () => {
  const loopback = new Loopback();
  let names: NameServer;

  const settings = (more: Record<string, string> = {}) =>
    loadConfig({
      LOG_LEVEL: 'silent',
      ALLOW_PRIVATE_TARGETS: 'true',
      BASE_URL: 'http://links.acme.test',
      DNS_SERVERS: names.servers.join(','),
      PROBE_TIMEOUT_SECONDS: '1',
      ...more,
    });
  before(async () => {
    names = await NameServer.start();
    names.zones[NAME] = { A: ['127.0.0.1'] };
    settings();
  });
  after(async () => {
    await names.close();
    loadConfig({ LOG_LEVEL: 'silent' });
  });
  afterEach(() => loopback.close());

  const serve = async (answer: RequestListener) => `${NAME}:${await loopback.http(answer)}`;
  const json =
    (content: unknown, type = 'application/json'): RequestListener =>
    (_request, response) =>
      void response
        .writeHead(200, { 'Content-Type': type })
        .end(typeof content === 'string' ? content : JSON.stringify(content));
  const right = json(appLinks([IOS]));
  const apple = async (answer: RequestListener, kind: 'linkDomains' | 'webDomains' = 'linkDomains') =>
    checkAppleFiles(healthSubject({ apps: [IOS], [kind]: [await serve(answer)] }), askingFor());

  const table: [what: string, answer: RequestListener, status: string, message: RegExp][] = [
    ['the right file', right, 'pass', /^iOS finds every app/],
    ['with a charset', json(appLinks([IOS]), 'application/json; charset=utf-8'), 'pass', /^iOS/],
    [
      'a page',
      json('<!doctype html>', 'text/html'),
      'fail',
      /has the content type "text\/html": serve it as application\/json/,
    ],
    ['a page that says it is JSON', json('<!doctype html>'), 'fail', /is not valid JSON/],
    ['no file', (_request, response) => void response.writeHead(404).end(), 'fail', /responds with status 404/],
    [
      'a redirect',
      (_request, response) => void response.writeHead(301, { Location: 'https://www.acme.test/' }).end(),
      'fail',
      /redirects, which iOS and Android do not follow/,
    ],
    ['too much of it', json({ ...appLinks([IOS]), more: 'a'.repeat(131_072) }), 'fail', /larger than 128 KiB/],
    [
      'another app',
      json(appLinks([{ ...IOS, bundle_id: 'com.other' }])),
      'fail',
      /ABCDE12345\.com\.acme\.app is not listed/,
    ],
    ['silence', () => {}, 'fail', /does not answer in time/],
  ];
  for (const [what, answer, status, message] of table) {
    it(`of iOS ${status}: ${what}`, async () => {
      const result = await apple(answer);
      expect(result?.status, result?.message).to.equal(status);
      expect(result?.message).to.match(message);
    });
  }

  it('of iOS only warn of a web domain', async () => {
    expect((await apple(right, 'webDomains'))?.status).to.equal('pass');
    for (const answer of [
      json({}),
      (_request: unknown, response: { writeHead(s: number): { end(): void } }) => response.writeHead(404).end(),
    ]) {
      expect((await apple(answer as RequestListener, 'webDomains'))?.status).to.equal('warn');
    }
  });

  it('of iOS skip a machine that cannot be asked, and projects without such apps', async () => {
    const linkDomains = [`localhost:${await freePort()}`];
    expect((await checkAppleFiles(healthSubject({ apps: [IOS], linkDomains }), askingFor()))?.status).to.equal('skip');
    expect((await checkAppleFiles(healthSubject({ apps: [ANDROID], linkDomains }), askingFor()))?.status).to.equal(
      'skip',
    );
  });

  it('warn where links want to open apps and the project has none', async () => {
    for (const check of [checkAppleFiles, checkAssetLinks]) {
      const result = await check(healthSubject({ opensApps: true, linkDomains: [NAME] }), askingFor());
      expect(result?.status).to.equal('warn');
      expect(result?.message).to.match(/open_app.*no apps.*Add the apps/);
    }
    const others = await checkAppleFiles(healthSubject({ opensApps: true, apps: [ANDROID] }), askingFor());
    expect(others?.status).to.equal('skip');
  });

  it('warn, and ask nothing, where apps open no links', async () => {
    const withoutApps = new Map([[NAME, 'Links on it open no app.']]);
    const subject = healthSubject({ apps: [IOS, ANDROID], linkDomains: [NAME], withoutApps });
    for (const check of [checkAppleFiles, checkAssetLinks]) {
      expect(await check(subject, askingFor())).to.deep.equal({ status: 'warn', message: 'Links on it open no app.' });
    }
  });

  it('of Android pass, fail for small letters, and warn of an app without fingerprint', async () => {
    const look = async (content: unknown, apps: App[]) =>
      checkAssetLinks(healthSubject({ apps, linkDomains: [await serve(json(content))] }), askingFor());
    expect((await look(assetLinks([ANDROID]), [ANDROID]))?.status).to.equal('pass');
    const small = await look(assetLinks([{ ...ANDROID, sha256_fingerprints: [PRINT.toLowerCase()] }]), [ANDROID]);
    expect([small?.status, small?.message]).to.satisfy(
      ([status, message]: string[]) => status === 'fail' && /32 pairs of uppercase hex digits/.test(message ?? ''),
    );
    const unsigned = { ...ANDROID, package: 'com.acme.new', sha256_fingerprints: [] };
    const result = await look(assetLinks([ANDROID]), [ANDROID, unsigned]);
    expect([result?.status, result?.message?.slice(0, 31)]).to.deep.equal(['warn', 'com.acme.new has no fingerprint']);
  });

  it('of stores fail where there is no page, and warn where the store does not answer', async () => {
    const pages: Record<string, number> = {};
    const asked: string[] = [];
    const port = await loopback.http((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(pages[request.url?.split('?')[0] ?? ''] ?? 200).end();
    });
    const look = (apps: App[] = [IOS, ANDROID]) => checkStorePages(healthSubject({ apps }), askingFor());
    const store = `http://127.0.0.1:${port}`;
    settings({ APP_STORE_URL: store, PLAY_STORE_URL: store });
    expect((await look())?.status).to.equal('pass');
    expect(asked).to.have.members(['/app/id1234567', '/store/apps/details?id=com.acme.app']);
    pages['/app/id1234567'] = 404;
    const gone = await look();
    expect(gone?.status).to.equal('fail');
    expect(gone?.message).to.match(/no store page for com\.acme\.app at .*id1234567: correct the app/);
    pages['/app/id1234567'] = 503;
    expect((await look())?.status).to.equal('warn');
    expect((await look([{ ...IOS, app_store_id: null }]))?.status).to.equal('skip');
    settings({ APP_STORE_URL: `http://127.0.0.1:${await freePort()}`, PLAY_STORE_URL: 'none' });
    expect((await look())?.status).to.equal('warn');
    settings({ APP_STORE_URL: 'none', PLAY_STORE_URL: 'none' });
    expect((await look())?.status).to.equal('skip');
    settings();
  });
});
