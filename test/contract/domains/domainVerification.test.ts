// stores: any
import { createServer, type Server } from 'node:https';
import { expect } from 'chai';
import { config } from '../../../src/kernel/config.ts';
import { Authority } from '../../support/authority.ts';
import {
  ADDRESSES,
  addDomain,
  addVerified,
  proveByTxt,
  type ShownDomain,
  TARGET,
  useDomains,
  verify,
} from '../../support/domains.ts';
import type { Zone } from '../../support/nameServer.ts';
import { startReceiver } from '../../support/receiver.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';

describe('verification of domains', () => {
  const { world, names, hostname } = useDomains();
  let mine: Tenant;

  beforeEach(async () => {
    mine = await makeTenant(world());
  });

  /** A domain that was looked at with these records. */
  const looked = async (zone: Zone | null, more: object = {}): Promise<ShownDomain> => {
    const domain = await addDomain(mine.api, hostname(), more);
    if (zone) names().zones[domain.hostname] = zone;
    return verify(mine.api, domain);
  };

  it('by TXT, also beside other texts and before visitors are led here', async () => {
    const domain = await addDomain(mine.api, hostname());
    const [{ name, value }] = domain.verification;
    names().zones[name] = { TXT: ['v=spf1 -all', value] };
    const verified = await verify(mine.api, domain);
    expect(verified).to.deep.include({ status: 'verified', problem: null });
    expect(verified.verified_at).to.equal(verified.checked_at).and.match(/Z$/);
  });

  it('by a chain of CNAMEs that ends with us', async () => {
    names().zones['alias.customer.com'] = { CNAME: TARGET };
    expect(await looked({ CNAME: 'alias.customer.com' })).to.deep.include({ status: 'verified', problem: null });
  });

  it('by a CNAME whose target has no address at the moment', async () => {
    names().zones[TARGET] = {};
    expect(await looked({ CNAME: TARGET })).to.include({ status: 'verified' });
    names().zones[TARGET] = { A: ADDRESSES };
  });

  it('by addresses that are all ours, which an apex is told of', async () => {
    expect(await looked({ A: ADDRESSES.slice(0, 1) })).to.include({ status: 'verified' });
    const { verification } = await addDomain(mine.api, 'addresses-customer.com');
    const routing = verification.slice(1).map(({ type, value }: ShownDomain) => [type, value]);
    expect(routing).to.deep.equal(ADDRESSES.map((address) => ['A', address]));
  });

  const NOT_YET: [about: string, zone: Zone | null, problem: RegExp][] = [
    ['nothing', null, /no TXT record.*has no address/],
    ['an address of others', { A: ['9.9.9.9'] }, /addresses that are not those of this service.*9\.9\.9\.9/],
    ['an address inside a network', { A: ['169.254.169.254'] }, /points to an address that is not public\)/],
    [
      'an address of others beside ours',
      { A: [...ADDRESSES, '203.0.113.9'] },
      /addresses that are not those of this service/,
    ],
    ['an alias of others', { CNAME: 'elsewhere.customer.com' }, /has no address/],
    ['a name server that fails', { A: 'SERVFAIL', AAAA: 'SERVFAIL' }, /name servers returned no answer/],
  ];
  for (const [about, zone, problem] of NOT_YET) {
    it(`not by ${about}, and says so`, async () => {
      const domain = await looked(zone);
      expect(domain).to.include({ status: 'pending', verified_at: null });
      expect(domain.checked_at).to.match(/Z$/);
      expect(domain.problem).to.match(problem);
    });
  }

  it('shows what a look found, and whether it is right', async () => {
    const domain = await addDomain(mine.api, hostname());
    const found = ({ verification }: ShownDomain) =>
      verification.map((record: ShownDomain) => [record.found, record.is_set]);
    expect(found(domain), 'before a look').to.deep.equal([
      [null, false],
      [null, false],
    ]);
    names().zones[domain.hostname] = { A: ['9.9.9.9', '169.254.169.254'] };
    expect(found(await verify(mine.api, domain))).to.deep.equal([
      [[], false],
      [['9.9.9.9', 'an address that is not public'], false],
    ]);
    names().zones[domain.hostname] = { CNAME: TARGET };
    names().zones[domain.verification[0].name] = { TXT: ['v=spf1 -all', domain.verification[0].value] };
    const verified = [
      [['v=spf1 -all', domain.verification[0].value], true],
      [[TARGET], true],
    ];
    expect(found(await verify(mine.api, domain))).to.deep.equal(verified);
    names().zones[domain.hostname] = {};
    expect(found((await mine.api('GET', `/domains/${domain.id}`)).body), 'as of the last look').to.deep.equal(verified);
  });

  it('leads here and is not proven where that is not enough', async () => {
    config.domainProof = 'txt';
    try {
      const domain = await looked({ CNAME: TARGET });
      expect(domain)
        .to.include({ status: 'pending' })
        .and.property('problem')
        .matches(/already points to this service, so only the TXT/);
      expect(domain.verification[1])
        .to.include({ is_set: true })
        .and.property('about')
        .matches(/only the TXT record/);
      proveByTxt(names(), domain);
      expect((await verify(mine.api, domain)).status).to.equal('verified');
    } finally {
      config.domainProof = 'auto';
    }
  });

  it('not by the text of another domain, or a part of it', async () => {
    const [one, other] = [await addDomain(mine.api, hostname()), await addDomain(mine.api, hostname())];
    const { name, value } = one.verification[0];
    names().zones[name] = { TXT: [other.verification[0].value, value.slice(0, -1), `${value}x`, value.toUpperCase()] };
    expect((await verify(mine.api, one)).problem).to.match(/has another value/);
  });

  it('answers within ten seconds while a name server is silent, and others do not wait', async function () {
    this.timeout(180_000);
    const silent = await addDomain(mine.api, hostname());
    names().zones[silent.hostname] = { A: 'silence', AAAA: 'silence' };
    const startedAt = performance.now();
    let isSlowOver = false;
    const slow = verify(mine.api, silent).finally(() => {
      isSlowOver = true;
    });
    await addVerified(mine.api, names(), hostname());
    expect(isSlowOver).to.equal(false);
    expect((await slow).problem).to.match(/returned no answer/);
    expect(performance.now() - startedAt).to.be.lessThan(10_000);
  });

  it('those who ask at once share looks, and the next one sees what has changed', async () => {
    config.domainCheckPauseMilliseconds = 500;
    const domain = await addDomain(mine.api, hostname());
    await Promise.all([1, 2, 3, 4, 5].map(() => verify(mine.api, domain)));
    const [{ name }] = domain.verification;
    expect(names().asked.filter((question) => question === `TXT ${name}`).length).to.be.at.most(2);
    proveByTxt(names(), domain);
    expect((await verify(mine.api, domain)).status).to.equal('verified');
    config.domainCheckPauseMilliseconds = 0;
  });

  it('tells receivers once', async () => {
    const receiver = await startReceiver();
    await mine.api('POST', '/webhooks', { url: receiver.url, event_types: ['domain.verified'] });
    const domain = await addVerified(mine.api, names(), hostname());
    const { event } = await receiver.waitFor(() => true, 'domain.verified');
    expect(event).to.deep.include({ type: 'domain.verified', project_id: mine.projectId });
    expect(event.data.domain).to.deep.equal(domain);
    await verify(mine.api, domain);
    const { body } = await mine.api('GET', '/events?type=domain.verified');
    expect(body.data).to.have.length(1);
    await receiver.close();
  });

  describe('of pages', () => {
    /** Of this test alone: port 443 is asked, and other addresses of this machine have their own. */
    const ADDRESS = '127.0.44.3';
    let server: Server;
    let answer: { status: number; body: string; location?: string };
    let untrust: () => void;
    const asked: string[] = [];

    before(async function () {
      const authority = await Authority.make();
      const certificate = await authority.issue({ names: ['pages.customer.com'] });
      untrust = authority.trust();
      server = createServer(certificate, (request, response) => {
        asked.push(`${request.headers.host}${request.url}`);
        const { status, body, location } = answer;
        response.writeHead(status, location ? { Location: location } : {}).end(body);
      });
      const isListening = await new Promise((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(443, ADDRESS, () => resolve(true));
      });
      // Who may not listen on port 443 cannot be asked there.
      if (!isListening) this.skip();
      names().zones['pages.customer.com'] = { A: [ADDRESS] };
    });
    after(() => {
      untrust();
      server.close();
      server.closeAllConnections();
    });

    it('by their file, as it must be', async () => {
      const domain = await addDomain(mine.api, 'pages.customer.com', { kind: 'web' });
      const [, { name, value }] = domain.verification;
      const wrong: [typeof answer, RegExp][] = [
        [{ status: 404, body: value }, /responds with status 404/],
        [{ status: 200, body: `${value} and more` }, /does not contain the expected text/],
        [{ status: 302, body: '', location: 'https://other.customer.com/' }, /redirects/],
      ];
      for (const [given, problem] of wrong) {
        answer = given;
        const looked = await verify(mine.api, domain);
        expect(looked).to.include({ status: 'pending' }).and.property('problem').matches(problem);
      }
      answer = { status: 200, body: `${value}\n` };
      expect(await verify(mine.api, domain)).to.include({ status: 'verified', problem: null });
      expect(new Set(asked)).to.deep.equal(new Set([name.slice('https://'.length)]));
    });

    it('by several projects of a team, and by no other team', async () => {
      const colleague = await makeTenant(world(), mine.teamId);
      answer = { status: 200, body: '' };
      const [one, two] = [await addDomain(mine.api, hostname(), { kind: 'web' }), (await makeTenant(world())).api];
      proveByTxt(names(), one);
      expect((await verify(mine.api, one)).status).to.equal('verified');
      const shared = await addDomain(colleague.api, one.hostname, { kind: 'web' });
      proveByTxt(names(), shared);
      expect((await verify(colleague.api, shared)).status).to.equal('verified');
      for (const kind of ['web', 'link']) {
        const reply = await two('POST', '/domains', { hostname: one.hostname, kind });
        expect([reply.status, reply.body.error.code]).to.deep.equal([409, 'conflict']);
      }
    });
  });
});
