// stores: none
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createResolver, type Resolver } from '../../../src/net/dns.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { NameServer, type Zone } from '../../support/nameServer.ts';

const TIMEOUT_MS = 300;

describe('the resolver of webhooks', () => {
  let names: NameServer;
  let resolve: Resolver;
  let folder: string;
  let hostsFile: string;

  beforeEach(async () => {
    names = await NameServer.start();
    folder = mkdtempSync(join(tmpdir(), 'svc-hosts-'));
    hostsFile = join(folder, 'hosts');
    resolve = createResolver({ timeoutMs: () => TIMEOUT_MS, servers: names.servers, hostsFile });
  });
  afterEach(async () => {
    await names.close();
    rmSync(folder, { recursive: true });
  });

  const addressesOf = async (name: string) => (await resolve(name)).map(({ address }) => address);
  const codeOf = (name: string) => resolve(name).then(String, ({ code }) => code);

  const found: [name: string, zone: Zone, addresses: string[]][] = [
    [
      'of both families, IPv4 first',
      { A: ['8.8.8.8', '8.8.4.4'], AAAA: ['2001:db8::1'] },
      ['8.8.8.8', '8.8.4.4', '2001:db8::1'],
    ],
    ['when there is IPv4 alone', { A: ['8.8.8.8'] }, ['8.8.8.8']],
    ['when there is IPv6 alone', { AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
    ['when IPv6 fails', { A: ['8.8.8.8'], AAAA: 'SERVFAIL' }, ['8.8.8.8']],
    ['when IPv4 fails', { A: 'SERVFAIL', AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
    ['when IPv6 is denied altogether', { A: ['8.8.8.8'], AAAA: 'NXDOMAIN' }, ['8.8.8.8']],
    ['public and private ones alike', { A: ['8.8.8.8', '10.0.0.1'] }, ['8.8.8.8', '10.0.0.1']],
  ];
  for (const [name, zone, addresses] of found) {
    it(`finds addresses: ${name}`, async () => {
      names.zones['hooks.example.com'] = zone;
      expect(await addressesOf('hooks.example.com')).to.deep.equal(addresses);
    });
  }

  const failing: [name: string, zone: Zone | undefined, code: string][] = [
    ['there is no such name', undefined, 'ENOTFOUND'],
    ['the name has no address', {}, 'ENODATA'],
    ['the name server fails', { A: 'SERVFAIL', AAAA: 'SERVFAIL' }, 'ESERVFAIL'],
    ['the name server refuses', { A: 'REFUSED', AAAA: 'REFUSED' }, 'EREFUSED'],
    ['it fails for one family and has nothing for the other', { A: 'SERVFAIL' }, 'ESERVFAIL'],
    ['the name server says nothing', { A: 'silence', AAAA: 'silence' }, 'ETIMEOUT'],
    ['it says nothing for one family and has nothing for the other', { A: 'silence' }, 'ETIMEOUT'],
  ];
  for (const [name, zone, code] of failing) {
    it(`gives ${code} when ${name}`, async () => {
      if (zone) names.zones['hooks.example.com'] = zone;
      const startedAt = performance.now();
      expect(await codeOf('hooks.example.com')).to.equal(code);
      expect(performance.now() - startedAt).to.be.below(TIMEOUT_MS + LATE_MS);
    });
  }

  it('rejects with EBADNAME for an impossible name', async () => {
    expect(await codeOf(`${'a'.repeat(64)}.example.com`)).to.equal('EBADNAME');
    expect(await codeOf('hooks..example.com')).to.equal('EBADNAME');
  });

  it('rejects with the code of an unreachable name server', async () => {
    resolve = createResolver({ timeoutMs: () => TIMEOUT_MS, servers: ['127.0.0.1:1'], hostsFile });
    expect(await codeOf('hooks.example.com')).to.equal('ECONNREFUSED');
  });

  it('waits a second for a silent address family, then uses the other', async () => {
    resolve = createResolver({ timeoutMs: () => 5000, servers: names.servers, hostsFile });
    names.zones['hooks.example.com'] = { A: ['8.8.8.8'], AAAA: 'silence' };
    const startedAt = performance.now();
    expect(await addressesOf('hooks.example.com')).to.deep.equal(['8.8.8.8']);
    expect(performance.now() - startedAt).to.be.within(900, 4500);
  });

  it('shares a query between concurrent callers, and queries again for the next', async () => {
    names.zones['hooks.example.com'] = { A: ['8.8.8.8'] };
    await Promise.all([addressesOf('hooks.example.com'), addressesOf('hooks.example.com')]);
    expect(names.asked.toSorted()).to.deep.equal(['A hooks.example.com', 'AAAA hooks.example.com']);
    names.zones['hooks.example.com'] = { A: ['8.8.4.4'] };
    expect(await addressesOf('hooks.example.com')).to.deep.equal(['8.8.4.4']);
  });

  it('finds a name at once while twenty others hang', async () => {
    resolve = createResolver({ timeoutMs: () => 2000, servers: names.servers, hostsFile });
    for (let index = 0; index < 20; index += 1)
      names.zones[`dead${index}.example.com`] = { A: 'silence', AAAA: 'silence' };
    names.zones['hooks.example.com'] = { A: ['8.8.8.8'] };
    const over: string[] = [];
    const hanging = Array.from({ length: 20 }, async (_, index) => {
      const code = await codeOf(`dead${index}.example.com`);
      over.push(code);
      return code;
    });
    expect(await addressesOf('hooks.example.com')).to.deep.equal(['8.8.8.8']);
    expect(over).to.deep.equal([]);
    expect(await Promise.all(hanging)).to.deep.equal(Array(20).fill('ETIMEOUT'));
  });

  it('resolves localhost and names below it without a query', async () => {
    writeFileSync(hostsFile, '8.8.8.8 localhost');
    for (const name of ['localhost', 'a.localhost']) {
      expect(await addressesOf(name)).to.deep.equal(['127.0.0.1', '::1']);
    }
    expect(names.asked).to.deep.equal([]);
  });

  it('prefers the hosts file to DNS', async () => {
    names.zones['hooks.example.com'] = { A: ['8.8.8.8'] };
    writeFileSync(
      hostsFile,
      [
        '# comment',
        '  2001:db8::1\tHooks.example.com other.example.com # and why',
        '10.0.0.1 hooks.example.com',
        'fe80::1%lo0 hooks.example.com',
        'nonsense hooks.example.com',
        '10.0.0.2',
        '',
      ].join('\r\n'),
    );
    expect(await addressesOf('hooks.example.com')).to.deep.equal(['10.0.0.1', '2001:db8::1']);
    expect(await addressesOf('other.example.com')).to.deep.equal(['2001:db8::1']);
    expect(await codeOf('comment')).to.equal('ENOTFOUND');
  });

  it('reads the hosts file again when it changes, appears or disappears', async () => {
    names.zones['hooks.example.com'] = { A: ['8.8.8.8'] };
    expect(await addressesOf('hooks.example.com')).to.deep.equal(['8.8.8.8']);
    for (const [seconds, address] of [
      [1, '10.0.0.1'],
      [2, '10.0.0.2'],
    ] as const) {
      writeFileSync(hostsFile, `${address} hooks.example.com`);
      utimesSync(hostsFile, seconds, seconds);
      expect(await addressesOf('hooks.example.com')).to.deep.equal([address]);
    }
    rmSync(hostsFile);
    expect(await addressesOf('hooks.example.com')).to.deep.equal(['8.8.8.8']);
  });
});
