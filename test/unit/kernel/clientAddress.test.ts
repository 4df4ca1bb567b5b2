// stores: none
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { clientAddress } from '../../../src/kernel/incomingRequest.ts';
import { log } from '../../../src/kernel/log.ts';
import { stopClock } from '../../support/stopClock.ts';

const PROXY = '10.0.0.1';

const ask = (forwarded: string | undefined, peer: string | undefined = PROXY) =>
  clientAddress({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

/** [X-Forwarded-For as Node joins it, the client] */
const LISTS: [string | undefined, string][] = [
  [undefined, PROXY],
  ['', PROXY],
  ['192.0.2.1', '192.0.2.1'],
  ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
  ['203.0.113.9, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
  ['203.0.113.9,192.0.2.1,10.1.2.3', '192.0.2.1'],
  ['10.0.0.2, 10.0.0.3', '10.0.0.2'],
  ['192.0.2.1:5678', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.1, fd00::7', '192.0.2.1'],
  ['192.0.2.1, fd00::7%eth0', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1, ::FFFF:10.0.0.9', '192.0.2.1'],
  ['192.0.2.1, , ', '192.0.2.1'],
  [',,192.0.2.1', '192.0.2.1'],
  [' , ', PROXY],
  ['192.0.2.1, unknown', PROXY],
  ['192.0.2.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['192.0.2.1, _hidden:1', PROXY],
  ['999.0.2.1', PROXY],
  ['192.0.2.1:', PROXY],
  ['[192.0.2.1', PROXY],
  ['<script>', PROXY],
  [`192.0.2.1,${'10.0.0.2,'.repeat(10_000)}`, '10.0.0.2'],
  [`${'x'.repeat(100_000)}, 192.0.2.1`, '192.0.2.1'],
];

describe('the address of a client', () => {
  before(() => {
    loadConfig({ LOG_LEVEL: 'silent', TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' });
  });
  after(() => {
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  for (const [forwarded, client] of LISTS) {
    it(`${String(forwarded).slice(0, 50)}: ${client}`, () => {
      expect(ask(forwarded)).to.equal(client);
    });
  }

  it('is the peer’s own, whatever it says, unless it is a trusted proxy', () => {
    for (const peer of ['198.51.100.7', '2001:db8::7']) expect(ask('192.0.2.1', peer)).to.equal(peer);
    expect(ask('192.0.2.1', '::ffff:198.51.100.7')).to.equal('198.51.100.7');
    expect(ask('192.0.2.1', '::ffff:10.0.0.1')).to.equal('192.0.2.1');
    expect(ask('192.0.2.1', 'fe80::1%eth0')).to.equal('fe80::1');
  });

  it('is nothing where the connection has none', () => {
    expect(
      clientAddress({ socket: {}, headers: { 'x-forwarded-for': '192.0.2.1' } } as unknown as IncomingMessage),
    ).to.equal('');
  });

  it('is warned of once an hour where a proxy is not named, without the address of a person', () => {
    const said: string[] = [];
    const { warn } = log;
    const time = stopClock(Date.parse('2030-01-01T00:00:00.000Z'));
    log.warn = ((message: string) => said.push(message)) as typeof log.warn;
    try {
      ask(undefined, '172.17.0.1');
      ask('192.0.2.1', PROXY);
      expect(said).to.deep.equal([]);
      for (let at = 0; at < 5; at += 1) ask('192.0.2.1', '172.17.0.1');
      expect(said.join()).to.match(/^A request from 172\.17\.0\.1 has X-Forwarded-For.*TRUSTED_PROXIES/);
      time.move(3_600_000);
      ask('192.0.2.1', '8.8.8.8');
      expect(said).to.have.length(2);
      expect(said[1]).to.match(/^A request from a public address has /);
    } finally {
      log.warn = warn;
      clock.reset();
    }
  });
});
