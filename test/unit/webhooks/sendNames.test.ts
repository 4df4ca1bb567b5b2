// stores: none
import { expect } from 'chai';
import { createResolver, type Resolver } from '../../../src/net/dns.ts';
import { resolveTarget, targetProblem } from '../../../src/webhooks/target.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';
import { NameServer } from '../../support/nameServer.ts';
import { requestTo, Senders } from '../../support/senders.ts';

const DNS_MS = 1000;
const NAME = 'hooks.example.com';

describe('names that the sender asks a name server for', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  let names: NameServer;
  let resolver: Resolver;
  let port: number;

  beforeEach(async () => {
    names = await NameServer.start();
    resolver = createResolver({ timeoutMs: () => DNS_MS, servers: names.servers, hostsFile: '/nowhere' });
    port = await loopback.http((_request, response) => response.end('ok'));
  });
  afterEach(async () => {
    await senders.close();
    await loopback.close();
    await names.close();
  });

  const post = (allowPrivate = true) =>
    senders.post(allowPrivate ? `http://${NAME}:${port}/` : `https://${NAME}:${port}/`, { resolver, allowPrivate });

  it('lead to the receiver, by either family', async () => {
    for (const zone of [{ A: ['127.0.0.1'] }, { A: ['127.0.0.1'], AAAA: ['::1'] }, { AAAA: ['::ffff:127.0.0.1'] }]) {
      names.zones[NAME] = zone;
      expect((await post()).error, JSON.stringify(zone)).to.equal(null);
    }
  });

  it('are a DNS error when they have no address, or a name server fails or is silent', async () => {
    for (const zone of [
      undefined,
      {},
      { A: 'SERVFAIL', AAAA: 'SERVFAIL' },
      { A: 'silence', AAAA: 'silence' },
    ] as const) {
      if (zone) names.zones[NAME] = zone;
      const result = await post();
      expect(result).to.include({ error: 'dns', statusCode: null });
      expect(result.durationMs).to.be.below(DNS_MS + LATE_MS);
    }
  });

  it('are blocked when one of their addresses is private, of either family', async () => {
    for (const zone of [{ A: ['8.8.8.8', '10.0.0.1'] }, { A: ['8.8.8.8'], AAAA: ['fd00::1'] }]) {
      names.zones[NAME] = zone;
      expect((await post(false)).error).to.equal('blocked_address');
    }
  });

  it('are blocked when they were public as the webhook was saved, and lead to this machine as it is sent', async () => {
    names.zones[NAME] = { A: ['8.8.8.8'] };
    const options = { allowPrivate: false, ownHosts: [] };
    expect(targetProblem(`https://${NAME}/`, options)).to.equal(null);
    expect(await resolveTarget(NAME, { allowPrivate: false, port: 443, resolver, timeoutMs: 1000 })).to.equal(null);
    names.zones[NAME] = { A: ['127.0.0.1'] };
    expect((await post(false)).error).to.equal('blocked_address');
    expect(loopback.openConnections).to.equal(0);
  });

  it('that hang delay nobody else', async () => {
    for (let index = 0; index < 20; index += 1) {
      names.zones[`dead${index}.example.com`] = { A: 'silence', AAAA: 'silence' };
    }
    names.zones[NAME] = { A: ['127.0.0.1'] };
    const sender = senders.make({ resolver, timeoutMs: 2000 });
    let over = 0;
    const hanging = Array.from({ length: 20 }, (_, index) =>
      sender.send(requestTo(`http://dead${index}.example.com:${port}/`)).finally(() => {
        over += 1;
      }),
    );
    const result = await sender.send(requestTo(`http://${NAME}:${port}/`));
    expect(result.error).to.equal(null);
    expect(over).to.equal(0);
    expect(new Set((await Promise.all(hanging)).map(({ error }) => error))).to.deep.equal(new Set(['dns']));
  });
});
