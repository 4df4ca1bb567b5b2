// stores: none
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { NetworkKind } from '../../../src/geo/networkKinds.ts';
import { openNetworks } from '../../../src/geo/networks.ts';
import { ConfigError, loadConfig } from '../../../src/kernel/config.ts';
import { mmdb } from '../../support/mmdb.ts';

type Kinds = Record<string, NetworkKind | null>;

const UNSET: Kinds = {
  '100.64.0.0': 'carrier',
  '100.127.255.255': 'carrier',
  '::ffff:100.64.0.1': 'carrier',
  '::FFFF:6440:1': 'carrier',
  '0:0:0:0:0:ffff:100.64.0.1%eth0': 'carrier',
  '100.63.255.255': null,
  '100.128.0.0': null,
  '127.0.0.1': null,
  '::1': null,
  '10.0.0.1': null,
  '192.168.1.1': null,
  'fd00::1': null,
  'fe80::1%eth0': null,
  '8.8.8.8': null,
  '2001:4860:4860::8888': null,
  '': null,
  unknown: null,
  '100.64.0': null,
  '100.64.0.256': null,
  '0100.64.0.1': null,
  ' 100.64.0.1': null,
  '[::ffff:100.64.0.1]': null,
  '100.64.0.0/10': null,
  '%': null,
};

/** As Apple writes it, with what other lists have. */
const FILE = `\uFEFF172.224.226.0/27,GB,GB-EN,London,
2a02:26f7:c0:4000::/64,US,US-CA,Los Angeles,\r
198.51.100.7
198.51.100.0/29,,,,

# comment
   203.0.113.128/25   # comment
2001:DB8:1::1
2001:db8:2::192.0.2.1/127
2001:db8:3:fff8::/61
::ffff:192.0.2.64/122
2001:db8:3::/48,no line break at its end`;

const IN_FILE = [
  '172.224.226.0',
  '172.224.226.31',
  '::ffff:172.224.226.31',
  '2a02:26f7:c0:4000::',
  '2a02:26f7:c0:4000:ffff:ffff:ffff:ffff',
  '2a02:26f7:c0:4000::5%en0',
  '198.51.100.7',
  '198.51.100.0',
  '203.0.113.255',
  '2001:db8:1:0:0:0:0:1',
  '2001:db8:2::c000:200',
  '2001:db8:3:ffff::1',
  '192.0.2.127',
];

const NOT_IN_FILE = [
  '172.224.225.255',
  '172.224.226.32',
  '2a02:26f7:c0:3fff:ffff:ffff:ffff:ffff',
  '2a02:26f7:c0:4001::',
  '198.51.100.8',
  '203.0.113.127',
  '2001:db8:1::2',
  '2001:db8:1::',
  '2001:db8:2::c000:202',
  '192.0.2.63',
  '192.0.2.128',
  '::192.0.2.64',
];

const NO_NETWORKS = [
  'relay.example',
  '192.0.2.1/33',
  '192.0.2.1/',
  '192.0.2.1/-1',
  '192.0.2.1/8/8',
  '192.0.2.0-192.0.2.9',
  '192.0.2',
  '2001:db8::/129',
  '2001:db8::/64x',
  '::ffff:192.0.2.0/64',
  '/8',
];

/** What databases say of a network, and what it means for an address of IPv4. */
const RECORDS: [kind: NetworkKind | null, ...records: Parameters<typeof mmdb>[0][string][]][] = [
  ['hosting', { autonomous_system_number: 16509, autonomous_system_organization: 'AMAZON-02' }],
  ['hosting', { asn: 'AS24940', name: 'Hetzner Online GmbH', type: 'hosting' }, { asn: 'as24940' }, { asn: '24940' }],
  ['hosting', { asn: 'AS64500', type: 'hosting' }, { asn: 'AS64500', as_type: 'hosting' }],
  ['hosting', { is_anonymous: true, is_hosting_provider: true }, { hosting: true }, { hosting: 'true', vpn: '' }],
  ['hosting', { is_hosting: true }, { traits: { user_type: 'content_delivery_network' } }],
  ['relay', { autonomous_system_number: 13335 }, { traits: { autonomous_system_number: 36183 } }],
  ['relay', { is_anonymous_vpn: true, is_hosting_provider: true }, { is_public_proxy: true }],
  ['relay', { is_residential_proxy: true }, { is_tor_exit_node: true }, { traits: { is_anonymous_vpn: true } }],
  ['relay', { relay: true, hosting: true }, { vpn: 'true' }, { proxy: 'True' }, { tor: true }],
  ['carrier', { autonomous_system_number: 21928 }, { asn: 'AS55836', type: 'isp' }, { is_mobile: true }],
  ['carrier', { connection_type: 'Cellular' }, { traits: { connection_type: 'Cellular' } }],
  ['carrier', { traits: { user_type: 'cellular' }, country: { iso_code: 'DE' } }],
  [null, { autonomous_system_number: 3320, autonomous_system_organization: 'Deutsche Telekom AG' }],
  [null, { asn: 'AS3320', type: 'isp' }, { asn: '' }, { asn: 'none' }, { connection_type: 'Cable/DSL' }],
  [null, { vpn: 'false', hosting: '' }, { is_hosting_provider: false, is_anonymous: false }, { traits: {} }],
  [null, { country: { iso_code: 'DE' } }, { traits: 'none' }, 'text', 16509, ['hosting'], {}],
];

describe('the network of an address', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-networks-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  const open = (settings: Record<string, string> = {}) => {
    loadConfig({ LOG_LEVEL: 'silent', ...settings });
    return openNetworks();
  };
  const write = async (name: string, content: Buffer | string) => {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return file;
  };
  const problem = async (settings: Record<string, string>) => {
    const error: unknown = await open(settings).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  };

  it('is shared without any setting where carriers put NAT, and nowhere else', async () => {
    const networkOf = await open();
    for (const [address, kind] of Object.entries(UNSET)) expect(networkOf(address), address).to.equal(kind);
  });

  it('is listed in SHARED_NETWORKS, private ones too', async () => {
    const networkOf = await open({
      SHARED_NETWORKS: '192.0.2.0/24, 2001:db8::/32, 10.0.0.1, fe80::/64, 100.64.0.0/16',
    });
    const kinds = [
      '192.0.2.9',
      '::ffff:192.0.2.9',
      '2001:db8::1',
      '10.0.0.1',
      'fe80::1%eth0',
      '10.0.0.2',
      '100.64.0.1',
    ];
    const expected = ['listed', 'listed', 'listed', 'listed', 'listed', null, 'carrier'];
    expect(kinds.map(networkOf)).to.deep.equal(expected);
  });

  describe('by files', () => {
    it('is a relay’s in one that is named so, else listed', async () => {
      for (const name of ['egress-ip-ranges.csv', 'Relays.txt', 'list.txt']) {
        const kind = name === 'list.txt' ? 'listed' : 'relay';
        const networkOf = await open({ SHARED_NETWORK_FILES: await write(name, FILE) });
        for (const address of IN_FILE) expect(networkOf(address), address).to.equal(kind);
        for (const address of NOT_IN_FILE) expect(networkOf(address), address).to.equal(null);
      }
    });

    it('is what the first says that holds it, after SHARED_NETWORKS', async () => {
      const files = [
        await write('a.txt', '192.0.2.0/28'),
        await write('relay.txt', '192.0.2.0/24'),
        await write('b.txt', ''),
      ];
      const networkOf = await open({ SHARED_NETWORK_FILES: ` ${files.join(' , ')},`, SHARED_NETWORKS: '192.0.2.255' });
      const kinds = ['192.0.2.1', '192.0.2.16', '192.0.2.255', '192.0.3.1'].map(networkOf);
      expect(kinds).to.deep.equal(['listed', 'relay', 'listed', null]);
    });

    it('does not depend on the name of their folder', async () => {
      const other = await mkdtemp(path.join(tmpdir(), 'svc-relay-'));
      await writeFile(path.join(other, 'list.txt'), '192.0.2.0/24');
      const networkOf = await open({ SHARED_NETWORK_FILES: path.join(other, 'list.txt') });
      await rm(other, { recursive: true });
      expect(networkOf('192.0.2.1')).to.equal('listed');
    });

    it('stops the start at a line that is no network', async () => {
      for (const line of NO_NETWORKS) {
        const file = await write('bad.txt', `192.0.2.0/24\n\n# comment\n${line},XX\n`);
        const expected = `SHARED_NETWORK_FILES: line 4 of ${file} is no network: ${line}`;
        expect(await problem({ SHARED_NETWORK_FILES: file })).to.equal(expected);
      }
    });

    it('stops the start when one cannot be read', async () => {
      for (const file of [path.join(folder, 'nowhere.txt'), folder]) {
        const SHARED_NETWORK_FILES = `${await write('good.txt', '192.0.2.1')},${file}`;
        expect(await problem({ SHARED_NETWORK_FILES }))
          .to.match(/^SHARED_NETWORK_FILES: .+ cannot be read: ./)
          .and.include(file);
      }
    });
  });

  describe('by a database', () => {
    it('is what its record says, in the words of each vendor', async () => {
      const records = RECORDS.flatMap(([kind, ...said]) => said.map((record) => ({ kind, record })));
      const blocks = records.map(({ record }, at) => [`198.51.${at}.0/24`, record]);
      const networkOf = await open({ NETWORK_DATABASE: await write('all.mmdb', mmdb(Object.fromEntries(blocks))) });
      for (const [at, { kind, record }] of records.entries()) {
        expect(networkOf(`198.51.${at}.9`), JSON.stringify(record)).to.equal(kind);
        expect(networkOf(`::ffff:198.51.${at}.9`), JSON.stringify(record)).to.equal(kind);
      }
      expect(networkOf('192.0.2.1')).to.equal(null);
    });

    it('is not a carrier’s with IPv6, of which each phone has its own', async () => {
      const networks = { '2001:db8:1::/48': { connection_type: 'Cellular' }, '2001:db8:2::/48': { asn: 'AS16509' } };
      const networkOf = await open({ NETWORK_DATABASE: await write('v6.mmdb', mmdb(networks)) });
      expect(['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1'].map(networkOf)).to.deep.equal([null, 'hosting', null]);
    });

    it('is not known for IPv6 where the database has IPv4 alone', async () => {
      const file = mmdb({ '2001:db8::/32': { hosting: true } });
      const version = file.lastIndexOf('ip_version') + 'ip_version'.length + 4;
      file.writeUInt8(4, version);
      const networkOf = await open({ NETWORK_DATABASE: await write('v4.mmdb', file) });
      // The same 32 bits.
      expect(['32.1.13.184', '2001:db8::1'].map(networkOf)).to.deep.equal(['hosting', null]);
    });

    it('is asked last', async () => {
      const database = await write(
        'last.mmdb',
        mmdb({ '192.0.2.0/24': { hosting: true }, '100.64.0.0/10': { vpn: true } }),
      );
      const networkOf = await open({
        NETWORK_DATABASE: database,
        SHARED_NETWORKS: '192.0.2.1',
        SHARED_NETWORK_FILES: await write('relay.txt', '192.0.2.0/31'),
      });
      const kinds = ['192.0.2.1', '192.0.2.0', '192.0.2.2', '100.64.0.1'].map(networkOf);
      expect(kinds).to.deep.equal(['listed', 'relay', 'hosting', 'carrier']);
    });

    it('stops the start when it is not there or is none', async () => {
      for (const file of [path.join(folder, 'nowhere.mmdb'), await write('none.mmdb', 'no database'), folder])
        expect(await problem({ NETWORK_DATABASE: file })).to.match(/^NETWORK_DATABASE cannot be read: ./);
    });
  });
});
