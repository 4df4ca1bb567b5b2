// stores: none
import { expect } from 'chai';
import { readHostname } from '../../../src/domains/hostname.ts';
import { loadConfig } from '../../../src/kernel/config.ts';

const PUBLIC = {
  LOG_LEVEL: 'silent',
  BASE_URL: 'https://app.svc.net',
  SDK_URL: 'https://sdk.svc.net',
  LINK_DOMAIN: 'svc.link:8443',
  LINK_TARGET: 'target.svc.net',
};

const TAKEN: [written: string, read: string][] = [
  ['go.example.com', 'go.example.com'],
  ['GO.Example.COM', 'go.example.com'],
  ['go.example.com.', 'go.example.com'],
  ['example.com', 'example.com'],
  ['bücher.example.com', 'xn--bcher-kva.example.com'],
  ['BÜCHER.example.com', 'xn--bcher-kva.example.com'],
  ['例え.jp', 'xn--r8jz45g.jp'],
  ['xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
  ['go。example.com', 'go.example.com'],
  ['a-b.1.example.co.uk', 'a-b.1.example.co.uk'],
  ['somebody.github.io', 'somebody.github.io'],
  [`${'a'.repeat(63)}.example.com`, `${'a'.repeat(63)}.example.com`],
  ['other.svc.net', 'other.svc.net'],
];

const REFUSED: [written: string, why: RegExp][] = [
  ['', /only the host name/],
  [' ', /only the host name/],
  ['https://go.example.com', /without http/],
  ['https://go.example.com/', /without http/],
  ['go.example.com/spring', /without a path/],
  ['go.example.com?x=1', /without a path/],
  ['go.example.com\\x', /without a path/],
  ['me@example.com', /without a user name/],
  ['*.example.com', /wildcard/],
  ['go.example.com:443', /without a port/],
  ['go. example.com', /without spaces/],
  ['go.example.com\n', /without spaces/],
  ['192.0.2.1', /an IP address/],
  ['127.1', /an IP address/],
  ['0x7f000001', /an IP address/],
  ['[2001:db8::1]', /an IP address/],
  ['2001:db8::1', /an IP address/],
  ['example', /not a full host name/],
  ['localhost', /not a full host name/],
  ['go.localhost', /this machine/],
  ['go.internal', /inside a network/],
  ['metadata.google.internal', /metadata/],
  ['com', /not a full host name/],
  ['co.uk', /a public suffix/],
  ['github.io', /a public suffix/],
  ['-go.example.com', /not valid in a host name/],
  ['go-.example.com', /not valid in a host name/],
  ['go_on.example.com', /not valid in a host name/],
  ['go..example.com', /not valid in a host name/],
  ['.example.com', /not valid in a host name/],
  ['go.example.com..', /not valid in a host name/],
  [`${'a'.repeat(64)}.example.com`, /(not valid in|Must be) a host name/],
  [`${'a.'.repeat(125)}com`, /at most 238/],
  ['xn--.example.com', /(not valid in|Must be) a host name/],
  ['go\u0000.example.com', /(not valid in|Must be) a host name/],
  ['app.svc.net', /this service/],
  ['SDK.svc.net.', /this service/],
  ['svc.link', /this service/],
  ['target.svc.net', /this service/],
];

describe('host names of domains', () => {
  before(() => loadConfig(PUBLIC));
  after(() => loadConfig({ LOG_LEVEL: 'silent' }));

  for (const [written, read] of TAKEN) {
    it(`${JSON.stringify(written)} is ${read}`, () => {
      expect(readHostname(written)).to.deep.equal({ hostname: read });
    });
  }

  for (const [written, why] of REFUSED) {
    it(`${JSON.stringify(written).slice(0, 60)} is refused: ${why.source}`, () => {
      const read = readHostname(written);
      expect(read).to.have.property('problem').that.matches(why);
      expect((read as { problem: string }).problem).to.match(/[.)]$/);
    });
  }

  it('of this machine are taken where things are tried out', () => {
    loadConfig({ ...PUBLIC, ALLOW_PRIVATE_TARGETS: 'true' });
    expect(readHostname('go.localhost')).to.deep.equal({ hostname: 'go.localhost' });
    expect(readHostname('localhost')).to.have.property('problem');
    expect(readHostname('metadata.google.internal')).to.have.property('problem');
  });
});
