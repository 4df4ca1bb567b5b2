// stores: none
import { expect } from 'chai';
import { checkCertificates } from '../../../src/health/checks/checkCertificates.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { Authority, type CertificateOptions, selfSigned } from '../../support/authority.ts';
import { freePort } from '../../support/child.ts';
import { askingFor, healthSubject } from '../../support/healthSubject.ts';
import { Loopback } from '../../support/loopback.ts';
import { NameServer } from '../../support/nameServer.ts';

const NAME = 'go.acme.test';

describe('the health check of certificates', () => {
  const loopback = new Loopback();
  let names: NameServer;
  let authority: Authority;
  let distrust: () => void;

  before(async () => {
    names = await NameServer.start();
    names.zones[NAME] = { A: ['127.0.0.1'] };
    authority = await Authority.make();
    distrust = authority.trust();
    settings('https://links.acme.test');
  });
  after(async () => {
    distrust();
    await names.close();
    loadConfig({ LOG_LEVEL: 'silent' });
  });
  afterEach(() => loopback.close());

  const settings = (baseUrl: string) =>
    loadConfig({
      LOG_LEVEL: 'silent',
      ALLOW_PRIVATE_TARGETS: 'true',
      BASE_URL: baseUrl,
      DNS_SERVERS: names.servers.join(','),
      CERTIFICATE_WARNING_DAYS: '14',
    });
  const serve = async (certificate: { key: string; cert: string }, name = NAME) =>
    `${name}:${await loopback.https((_request, response) => void response.end(), certificate)}`;
  const look = (...linkDomains: string[]) => checkCertificates(healthSubject({ linkDomains }), askingFor());

  const table: [what: string, options: CertificateOptions, status: string, message: RegExp][] = [
    ['a good one', { names: [NAME], validTo: 30 }, 'pass', /^Every certificate is valid/],
    [
      'one that ends soon',
      { names: [NAME], validTo: 3.5 },
      'warn',
      /go\.acme\.test:\d+ expires in 3 days, on .*renew it/,
    ],
    ['one that has expired', { names: [NAME], validFrom: -9, validTo: -1 }, 'fail', /has expired: renew it/],
    ['one of tomorrow', { names: [NAME], validFrom: 1, validTo: 30 }, 'fail', /is not valid yet/],
    ['one for another name', { names: ['other.acme.test'] }, 'fail', /is for another host name: get one for this name/],
  ];
  for (const [what, options, status, message] of table) {
    it(`${status}: ${what}`, async () => {
      const result = await look(await serve(await authority.issue(options)));
      expect(result?.status).to.equal(status);
      expect(result?.message).to.match(message);
    });
  }

  it('fail: one that nobody trusted vouches for', async () => {
    for (const certificate of [
      await selfSigned({ names: [NAME] }),
      await (await Authority.make('CN=X')).issue({ names: [NAME] }),
    ]) {
      const result = await look(await serve(certificate));
      expect(result?.status).to.equal('fail');
      expect(result?.message).to.match(/is not signed by an authority that browsers trust/);
    }
  });

  it('fail: what speaks no TLS', async () => {
    const port = await loopback.http((_request, response) => void response.end());
    const result = await look(`${NAME}:${port}`);
    expect([result?.status, result?.message]).to.satisfy(
      ([status, message]: string[]) => status === 'fail' && /does not accept encrypted connections/.test(message ?? ''),
    );
  });

  it('names the one that is bad among good ones', async () => {
    const good = await serve(await authority.issue({ names: [NAME] }));
    const bad = await serve(await authority.issue({ names: [NAME], validFrom: -9, validTo: -1 }));
    const result = await look(good, bad);
    expect(result?.message).to.include(bad).and.not.include(good);
  });

  it('skip: a host that cannot be reached is for another check', async () => {
    expect((await look(`${NAME}:${await freePort()}`, 'nowhere.acme.test'))?.status).to.equal('skip');
  });

  it('skip: links without https', async () => {
    settings('http://links.acme.test');
    expect((await look(NAME))?.message).to.match(/BASE_URL starts with http/);
    settings('https://links.acme.test');
  });
});
