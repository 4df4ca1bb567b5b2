// stores: none
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { expect } from 'chai';
import type { AttemptError } from '../../../src/webhooks/decideOutcome.ts';
import { Authority, selfSigned } from '../../support/authority.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';
import { resolvingTo, Senders } from '../../support/senders.ts';

const NAME = 'hooks.example.com';
const TIMEOUT_MS = 2000;

describe('TLS of the sender', () => {
  const loopback = new Loopback();
  const senders = new Senders();
  let authority: Authority;
  let distrust: () => void;

  before(async () => {
    authority = await Authority.make();
    distrust = authority.trust();
  });
  after(() => distrust());
  afterEach(async () => {
    await senders.close();
    await loopback.allEnded();
    await loopback.close();
  });

  const answer: RequestListener = (_request, response) => void response.end('safe');
  const post = (port: number, host = NAME) =>
    senders.post(`https://${host}:${port}/`, { resolver: resolvingTo('127.0.0.1'), timeoutMs: TIMEOUT_MS });

  const trusted: [name: string, host: string, options: () => Promise<TlsOptions>][] = [
    ['of a trusted authority for the name', NAME, () => authority.issue({ names: [NAME] })],
    ['for all names of a domain', NAME, () => authority.issue({ names: ['*.example.com'] })],
    ['for the address, where the URL has one', '127.0.0.1', () => authority.issue({ addresses: ['127.0.0.1'] })],
    [
      'over TLS 1.2',
      NAME,
      async () => ({ ...(await authority.issue({ names: [NAME] })), maxVersion: 'TLSv1.2' as const }),
    ],
    [
      'while a certificate of ours is asked for but not needed',
      NAME,
      async () => ({ ...(await authority.issue({ names: [NAME] })), requestCert: true, rejectUnauthorized: false }),
    ],
  ];
  for (const [name, host, options] of trusted) {
    it(`accepts a certificate ${name}`, async () => {
      const port = await loopback.https(answer, await options());
      expect(await post(port, host)).to.include({ statusCode: 200, error: null, responseBody: 'safe' });
    });
  }

  const refused: [name: string, options: () => Promise<TlsOptions>][] = [
    ['that has expired', () => authority.issue({ names: [NAME], validFrom: -30, validTo: -1 })],
    ['that is not valid yet', () => authority.issue({ names: [NAME], validFrom: 1 })],
    ['for another name', () => authority.issue({ names: ['hooks.example.org', 'example.com'] })],
    ['for the address alone, where the URL has a name', () => authority.issue({ addresses: ['127.0.0.1'] })],
    ['for a name that * does not reach', () => authority.issue({ names: ['*.com', '*.hooks.example.com'] })],
    ['that vouches for itself', () => selfSigned({ names: [NAME] })],
    [
      'of an unknown authority',
      async () => (await Authority.make('CN=Authority of somebody else')).issue({ names: [NAME] }),
    ],
    [
      'of an authority that only has the name of a trusted one',
      async () => (await Authority.make()).issue({ names: [NAME] }),
    ],
  ];
  for (const [name, options] of refused) {
    it(`refuses a certificate ${name}, whatever the environment says: tls`, async () => {
      const port = await loopback.https(answer, await options());
      expect(await post(port)).to.include({ statusCode: null, error: 'tls' });
      const { emitWarning } = process;
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      // Node warns of it, which would look like a fault of the tests.
      process.emitWarning = () => {};
      try {
        expect(await post(port)).to.include({ statusCode: null, error: 'tls' });
      } finally {
        process.emitWarning = emitWarning;
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      }
    });
  }

  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    it(`does not speak ${version}: tls`, async () => {
      const port = await loopback.https(answer, {
        ...(await authority.issue({ names: [NAME] })),
        minVersion: 'TLSv1',
        maxVersion: version,
        ciphers: 'ALL@SECLEVEL=0',
      });
      expect((await post(port)).error).to.equal('tls');
    });
  }

  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`has no certificate to show where one is demanded, over ${maxVersion}: tls`, async () => {
      const port = await loopback.https(answer, {
        ...(await authority.issue({ names: [NAME] })),
        maxVersion,
        requestCert: true,
        rejectUnauthorized: true,
      });
      expect((await post(port)).error).to.equal('tls');
    });
  }

  const noTls: [name: string, error: AttemptError, onConnection: (socket: Socket) => void][] = [
    [
      'is answered in plain HTTP',
      'tls',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    ],
    ['is greeted before it says anything', 'tls', (socket) => socket.end('220 mail.example.com ESMTP\r\n')],
    ['is hung up on at once', 'tls', (socket) => socket.end()],
    ['is hung up on within the handshake', 'tls', (socket) => socket.once('data', () => socket.end())],
    ['is reset within the handshake', 'tls', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['gets the beginning of a handshake, and the end', 'tls', (socket) => socket.end(Buffer.from('16030300', 'hex'))],
    ['gets no answer to its greeting', 'timeout', () => {}],
    ['gets one a byte at a time', 'timeout', dripHandshake],
  ];
  for (const [name, error, onConnection] of noTls) {
    it(`${name}: ${error}`, async () => {
      const result = await post(await loopback.tcp(onConnection));
      expect(result).to.include({ statusCode: null, error });
      if (error === 'timeout') expect(result.durationMs).to.be.within(TIMEOUT_MS - 10, TIMEOUT_MS + LATE_MS);
      else expect(result.durationMs).to.be.below(TIMEOUT_MS);
    });
  }
});

/** The head of a record of 16 KiB, and then its bytes. */
function dripHandshake(socket: Socket): void {
  socket.write(Buffer.from('1603034000', 'hex'));
  const timer = setInterval(() => socket.write('\u0002'), 20);
  socket.on('close', () => clearInterval(timer));
}
