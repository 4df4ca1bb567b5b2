import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import type { Resolver } from '../../../src/webhooks/resolver.ts';
import { Loopback, trustSelfSigned } from '../../support/loopback.ts';
import { failingWith, hangingResolver, resolvingTo, Senders } from '../../support/senders.ts';

describe('where the sender connects to', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  afterEach(async () => {
    trustSelfSigned(false);
    await senders.close();
    await loopback.close();
  });

  describe('addresses', () => {
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
      expect(result.durationMs).to.be.within(290, 900);
    });

    it('come from the system by default', async () => {
      const port = await loopback.http((_request, response) => response.end());
      expect((await senders.post(`http://localhost:${port}/`)).error).to.equal(null);
    });
  });

  describe('TLS', () => {
    const answer: RequestListener = (_request, response) => void response.end('safe');

    it('refuses a self-signed certificate', async () => {
      const port = await loopback.https(answer);
      expect(await senders.post(`https://localhost:${port}/`)).to.include({ statusCode: null, error: 'tls' });
    });

    it('accepts a certificate of a trusted authority, for a name and for an address', async () => {
      trustSelfSigned(true);
      const port = await loopback.https(answer);
      for (const host of ['localhost', '127.0.0.1']) {
        expect(await senders.post(`https://${host}:${port}/`)).to.include({ error: null, responseBody: 'safe' });
      }
    });

    it('refuses a certificate for another name', async () => {
      trustSelfSigned(true);
      const port = await loopback.https(answer);
      const result = await senders.post(`https://hooks.example.com:${port}/`, { resolver: resolvingTo('127.0.0.1') });
      expect(result.error).to.equal('tls');
    });

    it('refuses TLS below 1.2', async () => {
      trustSelfSigned(true);
      const port = await loopback.https(answer, {
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL@SECLEVEL=0',
      });
      expect((await senders.post(`https://localhost:${port}/`)).error).to.equal('tls');
    });

    it('is an error where the receiver speaks none, or wants a certificate of ours', async () => {
      trustSelfSigned(true);
      const plain = await loopback.tcp((socket) => socket.end('hello\r\n'));
      expect((await senders.post(`https://localhost:${plain}/`)).error).to.equal('tls');
      const mutual = await loopback.https(answer, { requestCert: true, rejectUnauthorized: true });
      expect((await senders.post(`https://localhost:${mutual}/`)).error).to.be.oneOf(['tls', 'reset']);
    });

    it('times out where the handshake hangs', async () => {
      const port = await loopback.tcp(() => {});
      const result = await senders.post(`https://localhost:${port}/`, { timeoutMs: 300 });
      expect(result.error).to.equal('timeout');
      expect(result.durationMs).to.be.within(290, 900);
    });
  });
});
