// stores: none
import type { NetworkInterfaceInfo } from 'node:os';
import { expect } from 'chai';
import { addressProblem, isInterfaceAddress, isLoopback, literalAddress } from '../../../src/kernel/publicAddress.ts';

/** Who may be sent to: everybody, only where private addresses are allowed, nobody. */
type Verdict = 'public' | 'private' | 'never';

const ADDRESSES: [words: string, verdict: Verdict, ...addresses: string[]][] = [
  ['public IPv4', 'public', '1.1.1.1', '8.8.8.8', '128.0.0.0'],
  ['beside 10/8', 'public', '9.255.255.255', '11.0.0.0'],
  ['beside 100.64/10', 'public', '100.63.255.255', '100.128.0.0'],
  ['beside 172.16/12', 'public', '172.15.255.255', '172.32.0.0'],
  ['beside 192.168/16', 'public', '192.167.255.255', '192.169.0.0'],
  ['beside the other reserved blocks', 'public', '192.0.1.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ['public IPv6', 'public', '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:800::200e'],
  ['a public address mapped into IPv6', 'public', '::ffff:8.8.8.8', '::ffff:808:808'],
  ['a public address behind NAT64', 'public', '64:ff9b::808:808', '64:ff9b::8.8.8.8'],

  ['private 10/8', 'private', '10.0.0.0', '10.255.255.255'],
  ['private 172.16/12', 'private', '172.16.0.0', '172.31.255.255'],
  ['private 192.168/16', 'private', '192.168.0.0', '192.168.255.255'],
  ['unique local', 'private', 'fc00::1', 'fdff::1', 'fd12:3456:789a::1'],
  ['loopback', 'private', '127.0.0.1', '127.255.255.255'],
  ['loopback of IPv6', 'private', '::1', '0:0:0:0:0:0:0:1', '0000::0001'],
  ['loopback mapped into IPv6', 'private', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ['a private address mapped into IPv6', 'private', '0:0:0:0:0:FFFF:0A00:0001', '::ffff:192.168.0.1'],
  ['a private address behind NAT64', 'private', '64:ff9b::a00:1', '64:ff9b::127.0.0.1'],

  ['this network', 'never', '0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ['shared by the customers of a carrier', 'never', '100.64.0.0', '100.127.255.255'],
  ['link-local', 'never', '169.254.0.1', '169.254.255.255'],
  ['reserved for protocols', 'never', '192.0.0.1', '192.0.0.170'],
  ['documentation', 'never', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ['former 6to4 relays', 'never', '192.88.99.1'],
  ['AS112', 'never', '192.31.196.0', '192.31.196.255', '192.175.48.0', '192.175.48.255'],
  ['AMT relays', 'never', '192.52.193.0', '192.52.193.255'],
  ['benchmarks', 'never', '198.18.0.0', '198.19.255.255'],
  ['multicast', 'never', '224.0.0.1', '239.255.255.255'],
  ['unassigned', 'never', '240.0.0.1', '255.255.255.254'],
  ['broadcast', 'never', '255.255.255.255'],

  ['metadata of AWS, Google, Azure, DigitalOcean, Oracle and others', 'never', '169.254.169.254'],
  ['metadata of AWS for containers', 'never', '169.254.170.2', '169.254.170.23', 'fd00:ec2::23'],
  ['metadata of Alibaba', 'never', '100.100.100.200', 'fd00:100::100:200'],
  ['metadata of Azure', 'never', '168.63.129.16'],
  ['metadata of Oracle', 'never', '192.0.0.192', 'fd00:c1::a9fe:a9fe'],
  ['metadata of Scaleway', 'never', '169.254.42.42', 'fd00:42::42'],
  ['metadata of Tencent', 'never', '169.254.0.23'],
  ['metadata of AWS in IPv6', 'never', 'fd00:ec2::254'],
  ['metadata of Google in IPv6', 'never', 'fd20:ce::254'],
  ['metadata of Linode in IPv6', 'never', 'fd00:a9fe:a9fe::1'],
  ['metadata of OpenStack in IPv6', 'never', 'fe80::a9fe:a9fe'],
  ['metadata mapped into IPv6', 'never', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:a83f:8110'],
  ['metadata behind NAT64', 'never', '64:ff9b::a9fe:a9fe', '64:ff9b::169.254.169.254'],

  ['no address', 'never', '::', '::2'],
  ['IPv4-compatible', 'never', '::127.0.0.1', '::8.8.8.8', '::a00:1'],
  ['IPv4 mapped, of no meaning', 'never', '::ffff:0:0'],
  ['IPv4-translated', 'never', '::ffff:0:7f00:1', '::ffff:0:808:808'],
  ['behind the NAT64 of a local network', 'never', '64:ff9b:1::808:808', '64:ff9b:1:ffff::a9fe:a9fe'],
  ['to be thrown away', 'never', '100::1'],
  ['Teredo', 'never', '2001::1', '2001:0:53aa:64c:0:0:f5ff:fffe'],
  [
    'reserved for protocols in IPv6 (ORCHID, benchmarks)',
    'never',
    '2001:10::1',
    '2001:20::1',
    '2001:2::1',
    '2001:1ff::1',
  ],
  ['documentation in IPv6', 'never', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  ['6to4, of private and of public addresses', 'never', '2002:7f00:1::1', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ['outside the public part of IPv6', 'never', '1fff::1', '4000::1', '5f00::1', '8000::1', 'fbff::1', 'fe00::1'],
  ['link-local in IPv6', 'never', 'fe80::1', 'febf::1'],
  ['site-local', 'never', 'fec0::1', 'feff::1'],
  ['multicast in IPv6', 'never', 'ff02::1', 'ff0e::1'],

  ['a name', 'never', '', 'example.com', 'localhost'],
  ['one number', 'never', '2130706433', '0x7f000001', '017700000001'],
  ['octal or hex parts', 'never', '0177.0.0.1', '0x7f.0.0.1', '08.8.8.8', '::ffff:0x7f.0.0.1'],
  ['too few parts', 'never', '127.1', '8.8.8'],
  ['with something around it', 'never', ' 8.8.8.8', '8.8.8.8\n', '8.8.8.8.', '8.8.8.8/32', '8.8.8.8:80'],
  ['in brackets', 'never', '[2606:4700:4700::1111]'],
  ['with a zone', 'never', 'fe80::1%eth0', '2606:4700:4700::1111%eth0', '::ffff:8.8.8.8%1'],
  ['in other digits', 'never', '１.1.1.1'],
];

describe('public addresses', () => {
  for (const [words, verdict, ...addresses] of ADDRESSES) {
    it(`${verdict}: ${words}`, () => {
      for (const address of addresses) {
        const mayBe = (allowPrivate: boolean) => addressProblem(address, { allowPrivate }) === null;
        expect([mayBe(false), mayBe(true)], address).to.deep.equal([verdict === 'public', verdict !== 'never']);
      }
    });
  }

  it('says what an address is', () => {
    const problem = (address: string) => addressProblem(address, { allowPrivate: false });
    expect(problem('10.0.0.1')).to.equal('10.0.0.1 is a private address.');
    expect(problem('::ffff:127.0.0.1')).to.equal('::ffff:127.0.0.1 is a loopback address.');
    expect(problem('169.254.169.254')).to.equal('169.254.169.254 is a cloud metadata address.');
    expect(problem('0x7f.1')).to.equal('0x7f.1 is not an IP address.');
  });

  it('refuses NAT64 where it is written, and not where DNS answers with it', () => {
    for (const allowPrivate of [true, false]) {
      expect(addressProblem('64:ff9b::808:808', { allowPrivate, isWritten: true })).to.match(/is a NAT64 address/);
      expect(addressProblem('64:ff9b::808:808', { allowPrivate })).to.equal(null);
      expect(addressProblem('8.8.8.8', { allowPrivate, isWritten: true })).to.equal(null);
    }
  });

  it('knows the addresses of the machine, however they are spelled', () => {
    const of = (address: string) => [{ address }] as NetworkInterfaceInfo[];
    const interfaces = () => ({
      lo: of('127.0.0.1'),
      eth0: [...of('8.8.4.4'), ...of('2A00:1450::0:1')],
      eth1: undefined,
    });
    for (const own of ['8.8.4.4', '::ffff:8.8.4.4', '64:ff9b::808:404', '2a00:1450::1']) {
      expect(isInterfaceAddress(own, interfaces), own).to.equal(true);
    }
    expect(isInterfaceAddress('8.8.8.8', interfaces)).to.equal(false);
    expect(isInterfaceAddress('127.0.0.1')).to.equal(true);
  });

  it('tells literal addresses from names in the hosts of URLs', () => {
    const literal = (host: string) => literalAddress(new URL(`https://${host}/`).hostname);
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '127.1', '127.0.0.1.', '１２７.0.0.1']) {
      expect(literal(host), host).to.equal('127.0.0.1');
    }
    expect(literal('[::1]')).to.equal('::1');
    expect(literal('[::FFFF:127.0.0.1]')).to.equal('::ffff:7f00:1');
    for (const host of ['example.com', 'localhost', '1e3', '127.0.0.1.example.com']) {
      expect(literal(host), host).to.equal(null);
    }
  });

  it('knows loopback in every spelling', () => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:7f00:1']) {
      expect(isLoopback(address), address).to.equal(true);
    }
    for (const address of ['128.0.0.1', '10.0.0.1', '::2', '2606:4700::1']) {
      expect(isLoopback(address), address).to.equal(false);
    }
  });
});
