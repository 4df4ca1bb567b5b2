import { expect } from 'chai';
import { addressProblem, literalAddress } from '../../src/kernel/publicAddress.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::808:808',
];

/** Private or loopback: refused in production, let through in development. */
const PRIVATE = [
  '10.0.0.0',
  '10.255.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.168.0.0',
  '192.168.255.255',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fdff::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:FFFF:0A00:0001',
  '64:ff9b::a00:1',
];

const NEVER = [
  '0.0.0.0',
  '0.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::2',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:0:0',
  '::ffff:0:7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '100::1',
  '1fff::1',
  '2001::1',
  '2001:0:53aa:64c:0:0:f5ff:fffe',
  '2001:10::1',
  '2001:1ff::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

const NO_ADDRESS = [
  '',
  'example.com',
  'localhost',
  '2130706433',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '8.8.8',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8.8\n',
  '08.8.8.8',
  '8.8.8.8/32',
  '[2606:4700:4700::1111]',
  'fe80::1%eth0',
  '2606:4700:4700::1111%eth0',
  '::ffff:8.8.8.8%1',
  '::ffff:0x7f.0.0.1',
  '１.1.1.1',
];

describe('public addresses', () => {
  const cases: [name: string, addresses: string[], refused: boolean, refusedWhenPrivateIsAllowed: boolean][] = [
    ['lets public addresses through', PUBLIC, false, false],
    ['refuses private and loopback addresses unless they are allowed', PRIVATE, true, false],
    ['always refuses metadata, link-local, reserved and multicast addresses', NEVER, true, true],
    ['always refuses what is no address in its usual spelling', NO_ADDRESS, true, true],
  ];
  for (const [name, addresses, refused, refusedWhenPrivateIsAllowed] of cases) {
    it(name, () => {
      for (const address of addresses) {
        expect(addressProblem(address, { allowPrivate: false }) !== null, address).to.equal(refused);
        expect(addressProblem(address, { allowPrivate: true }) !== null, address).to.equal(refusedWhenPrivateIsAllowed);
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
});
