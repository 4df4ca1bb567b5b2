// stores: none
import { expect } from 'chai';
import type { Resolver } from '../../../src/net/dns.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';
import { failingWith, hangingResolver, resolvingTo, Senders } from '../../support/senders.ts';

describe('the addresses that the sender connects to', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  afterEach(async () => {
    await senders.close();
    await loopback.close();
  });

  const blocked: [name: string, url: string, resolver: Resolver | undefined, allowPrivate: boolean][] = [
    ['a private literal', 'https://10.0.0.1/', undefined, false],
    ['an http URL', 'http://hooks.example.com/', resolvingTo('8.8.8.8'), false],
    ['a name with a private address', 'https://hooks.example.com/', resolvingTo('10.0.0.1'), false],
    [
      'one bad address among good ones',
      'https://hooks.example.com/',
      resolvingTo('8.8.8.8', '2606:4700::1', '::1'),
      false,
    ],
    ['metadata in development', 'http://hooks.example.com/', resolvingTo('127.0.0.1', '169.254.169.254'), true],
    ['a metadata literal in development', 'http://169.254.169.254/', undefined, true],
  ];
  for (const [name, url, resolver, allowPrivate] of blocked) {
    it(`${name}: blocked, nothing is connected to`, async () => {
      const result = await senders.post(url, { allowPrivate, ...(resolver && { resolver }) });
      expect(result).to.deep.include({ statusCode: null, error: 'blocked_address' });
    });
  }

  it('are asked for once and connected to as they were vetted', async () => {
    const port = await loopback.http((request, response) => response.end(request.headers.host));
    let asked = 0;
    const resolver: Resolver = async (name) => resolvingTo(++asked === 1 ? '127.0.0.1' : '169.254.169.254')(name);
    const result = await senders.post(`http://hooks.example.com:${port}/`, { resolver });
    expect(result).to.include({ error: null, responseBody: `hooks.example.com:${port}` });
  });

  it('are tried in turn', async () => {
    const port = await loopback.http((_request, response) => response.end());
    const result = await senders.post(`http://hooks.example.com:${port}/`, {
      resolver: resolvingTo('::1', '127.0.0.2', '127.0.0.1'),
    });
    expect(result.error).to.equal(null);
  });

  it('that cannot be found are a DNS error', async () => {
    for (const resolver of [failingWith('ENOTFOUND'), failingWith('EAI_AGAIN'), resolvingTo()]) {
      expect((await senders.post('http://hooks.example.com/', { resolver })).error).to.equal('dns');
    }
  });

  it('that are never found time out', async () => {
    const result = await senders.post('http://hooks.example.com/', { resolver: hangingResolver, timeoutMs: 300 });
    expect(result.error).to.equal('timeout');
    expect(result.durationMs).to.be.within(290, LATE_MS);
  });

  it('are this machine for localhost and the names below it', async () => {
    const port = await loopback.http((_request, response) => response.end());
    for (const host of ['localhost', 'a.b.localhost']) {
      expect((await senders.post(`http://${host}:${port}/`)).error).to.equal(null);
    }
  });

  it('that our machine has no room to ask for are a fault of ours', async () => {
    const sending = senders.post('http://hooks.example.com/', { resolver: failingWith('EMFILE') });
    expect(await sending.catch((error: Error) => error.message)).to.equal('EMFILE');
  });
});
