// stores: none
import { expect } from 'chai';
import type { Resolver } from '../../../src/net/dns.ts';
import { resolveTarget, targetProblem } from '../../../src/webhooks/target.ts';
import { failingWith, hangingResolver, resolvingTo } from '../../support/senders.ts';

const ownHosts = [
  'app.links.example.com',
  'GO.links.example.com:8443',
  '[2606:4700:4700::1111]:3000',
  'localhost:3000',
];
const LONGEST = `https://hooks.example.com/${'a'.repeat(2022)}`;

/** Who may be sent to: every webhook, only those where private addresses are allowed, none. */
type Verdict = 'always' | 'private' | 'never';

const URLS: [words: string, verdict: Verdict, ...urls: string[]][] = [
  ['a name', 'always', 'https://hooks.example.com/in?a=b#c', 'HTTPS://HOOKS.example.com', 'https://a_b.example.com/'],
  ['a name in another script', 'always', 'https://bücher.example.com/'],
  ['a name of which a part is a special name', 'always', 'https://example.com/', 'https://localhost.example.com/'],
  ['a name that only ends like a special one', 'always', 'https://hooks.contest.com/', 'https://thelocal.se/'],
  ['port 443', 'always', 'https://hooks.example.com:443/'],
  ['a port from 1024 up', 'always', 'https://hooks.example.com:1024', 'https://hooks.example.com:65535'],
  ['a public address', 'always', 'https://8.8.8.8/', 'https://[2606:4700:4700::1001]/', 'https://134744072/'],
  ['the longest URL', 'always', LONGEST],

  ['http', 'private', 'http://hooks.example.com/', 'http://hooks.example.com:8080/'],
  ['port 80', 'private', 'http://hooks.example.com:80/', 'https://hooks.example.com:80/'],
  [
    'localhost',
    'private',
    'https://localhost/',
    'http://localhost:8080/',
    'https://x.localhost/',
    'https://LOCALHOST/',
  ],
  ['a name without a dot', 'private', 'https://intranet/', 'http://receiver:8080/'],
  ['a name inside a network', 'private', 'https://printer.local/', 'https://db.internal/', 'https://nas.home.arpa/'],
  ['a name of no DNS', 'private', 'https://x.onion/', 'https://x.alt/', 'https://x.localdomain/'],
  ['a name that is reserved', 'private', 'https://hooks.test/', 'https://hooks.example/', 'https://hooks.invalid/'],
  ['loopback', 'private', 'https://127.0.0.1/', 'https://127.255.0.1/', 'https://[::1]:8443/'],
  ['loopback as one number', 'private', 'https://2130706433/', 'https://0x7f000001/', 'https://017700000001/'],
  ['loopback in octal', 'private', 'https://0177.0.0.1/', 'https://0177.0.0.01/'],
  ['loopback in hex', 'private', 'https://0x7f.0.0.1/', 'https://0X7F.0x0.0x0.0x1/'],
  ['loopback in short', 'private', 'https://127.1/', 'https://127.0.1/', 'https://0x7f.1/'],
  ['loopback with a dot behind it', 'private', 'https://127.0.0.1./'],
  ['loopback in other digits', 'private', 'https://１２７.0.0.1/', 'https://127。0。0。1/', 'https://%31%32%37.0.0.1/'],
  ['loopback mapped into IPv6', 'private', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
  [
    'a private address',
    'private',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://167838211/',
  ],
  ['a private address mapped into IPv6', 'private', 'https://[::ffff:10.0.0.1]/', 'https://[0:0:0:0:0:ffff:a00:1]/'],
  ['NAT64', 'never', 'https://[64:ff9b::10.0.0.1]/', 'https://[64:ff9b::808:808]/'],
  ['unique local', 'private', 'https://[fd12:3456::1]/'],

  ['nothing', 'never', ''],
  [
    'no scheme',
    'never',
    'hooks.example.com',
    '//hooks.example.com',
    'https:hooks.example.com',
    'https:/hooks.example.com',
  ],
  [
    'another scheme',
    'never',
    'ftp://hooks.example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ws://hooks.example.com',
  ],
  ['no host', 'never', 'https://', 'https:///', 'https://?a=b'],
  ['a user', 'never', 'https://user@hooks.example.com', 'https://user:secret@hooks.example.com'],
  ['a password alone', 'never', 'https://:secret@hooks.example.com'],
  ['a host that hides behind a user', 'never', 'https://hooks.example.com@10.0.0.1/', 'https://8.8.8.8%40@10.0.0.1/'],
  [
    'a port below 1024',
    'never',
    'https://hooks.example.com:22',
    'https://hooks.example.com:1023',
    'https://8.8.8.8:25/',
  ],
  ['no port at all', 'never', 'https://hooks.example.com:0', 'https://hooks.example.com:65536', 'https://8.8.8.8:x/'],
  ['a dot at the end', 'never', 'https://hooks.example.com./', 'https://localhost./', 'https://printer.local./'],
  ['an empty part', 'never', 'https://hooks..example.com/', 'https://hooks.example.com../'],
  [
    'spaces',
    'never',
    ' https://hooks.example.com',
    'https://hooks.example.com/a b',
    'https://hooks.example.com/\u00a0',
  ],
  [
    'line breaks and tabs',
    'never',
    'https://hooks.exa\nmple.com',
    'https://hooks.example.com/\r\nX: y',
    'https://ho\toks.example.com',
  ],
  ['NUL', 'never', 'https://hooks.example.com/\u0000'],
  ['too long', 'never', `${LONGEST}a`],
  [
    'metadata',
    'never',
    'https://169.254.169.254/latest/meta-data',
    'http://169.254.169.254/',
    'https://[fd00:ec2::254]/',
  ],
  ['metadata as one number', 'never', 'https://2852039166/', 'https://0xa9fea9fe/', 'https://025177524776/'],
  [
    'metadata in octal, hex and short',
    'never',
    'https://0251.0376.0251.0376/',
    'https://0xa9.0xfe.0xa9fe/',
    'https://169.254.43518/',
  ],
  ['metadata mapped into IPv6', 'never', 'https://[::ffff:a9fe:a9fe]/', 'https://[::ffff:169.254.169.254]/'],
  ['metadata behind NAT64', 'never', 'https://[64:ff9b::a9fe:a9fe]/', 'https://[64:ff9b:1::a9fe:a9fe]/'],
  [
    'metadata by name',
    'never',
    'https://metadata.google.internal/',
    'http://METADATA.goog/',
    'http://instance-data.ec2.internal/',
  ],
  ['this network', 'never', 'https://0/', 'https://0.0.0.0/', 'https://[::]/'],
  ['IPv4-compatible', 'never', 'https://[::127.0.0.1]/', 'https://[::8.8.8.8]/'],
  ['6to4 and Teredo', 'never', 'https://[2002:7f00:1::1]/', 'https://[2001:0:53aa:64c::1]/'],
  ['carrier NAT', 'never', 'https://100.64.0.1/'],
  ['link-local and site-local', 'never', 'https://169.254.1.1/', 'https://[fe80::1]/', 'https://[fec0::1]/'],
  ['multicast and broadcast', 'never', 'https://224.0.0.1/', 'https://[ff02::1]/', 'https://255.255.255.255/'],
  ['documentation and benchmarks', 'never', 'https://192.0.2.1/', 'https://[2001:db8::1]/', 'https://198.18.0.1/'],
  ['unassigned', 'never', 'https://240.0.0.1/', 'https://[4000::1]/'],
  ['a zone', 'never', 'https://[fe80::1%25eth0]/', 'https://[fe80::1%eth0]/', 'https://[::1%25lo]/'],

  ['our own host', 'never', 'https://app.links.example.com/', 'https://APP.links.example.com:443/x'],
  ['our own host with a dot behind it', 'never', 'https://app.links.example.com./'],
  ['our own host and port', 'never', 'https://go.links.example.com:8443/', 'https://[2606:4700:4700::1111]:3000/'],
  ['our own host at another port', 'private', 'https://app.links.example.com:9999/', 'https://go.links.example.com/'],
  ['our own address at another port', 'private', 'https://[2606:4700:4700::1111]/'],
  ['our own port on this machine', 'never', 'http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/'],
  [
    'our own port on this machine in disguise',
    'never',
    'http://x.localhost:3000/',
    'http://2130706433:3000/',
    'http://127.0.0.2:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
  ],
  ['another port on this machine', 'private', 'http://localhost:3001/', 'http://127.0.0.1:3001/'],
  ['our own port on another machine', 'private', 'http://10.0.0.1:3000/'],
];

describe('the target of a webhook, as it is saved', () => {
  const problem = (url: string, allowPrivate: boolean) => targetProblem(url, { allowPrivate, ownHosts });

  for (const [words, verdict, ...urls] of URLS) {
    it(`${verdict}: ${words}`, () => {
      for (const url of urls) {
        expect(problem(url, false) === null, `${url} in public`).to.equal(verdict === 'always');
        expect(problem(url, true) === null, `${url} in private`).to.equal(verdict !== 'never');
      }
    });
  }

  const messages: [url: string, message: string][] = [
    ['ftp://hooks.example.com/', 'The scheme ftp: is not supported. Use https:.'],
    ['http://hooks.example.com/', 'Over http: events would be sent unencrypted. Use https:.'],
    ['hooks.example.com', 'The URL is incomplete. Use a full URL, such as https://hooks.example.com/in.'],
    [
      'https://user:secret@hooks.example.com/',
      'The URL contains a user name or password. Remove them; your receiver can verify requests by their signature.',
    ],
    ['https://hooks.example.com:25/', 'Port 25 is not allowed. Use 443, or a port from 1024 up.'],
    ['https://10.0.0.1/', '10.0.0.1 is a private address. Use a publicly reachable host, such as hooks.example.com.'],
    [
      'https://printer.local/',
      'printer.local ends in .local, which is only known inside a network. Use a publicly reachable host, such as hooks.example.com.',
    ],
    ['https://app.links.example.com/', 'app.links.example.com is this service itself. Use the host of your receiver.'],
  ];
  for (const [url, message] of messages) {
    it(`is told what is wrong with ${url}`, () => expect(problem(url, false)).to.equal(message));
  }
});

describe('the target of a webhook, as DNS knows it', () => {
  const check = (resolver: Resolver, allowPrivate = false, hostname = 'hooks.example.com') =>
    resolveTarget(hostname, { allowPrivate, resolver, port: 443, timeoutMs: 30 });

  it('is fine when every address is public', async () => {
    expect(await check(resolvingTo('8.8.8.8', '2606:4700:4700::1111'))).to.equal(null);
  });

  it('is refused when the name does not exist or has no address', async () => {
    for (const resolver of [failingWith('ENOTFOUND'), failingWith('ENODATA'), failingWith('EBADNAME'), resolvingTo()]) {
      expect(await check(resolver)).to.equal(
        'The host name hooks.example.com does not exist. Check the spelling, or try again once it is in DNS.',
      );
    }
  });

  it('is accepted when the resolver fails', async () => {
    for (const code of ['ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED']) {
      expect(await check(failingWith(code)), code).to.equal(null);
    }
    expect(await check(hangingResolver)).to.equal(null);
  });

  it('is refused when one address is not public', async () => {
    expect(await check(resolvingTo('8.8.8.8', '10.0.0.1'))).to.equal(
      'hooks.example.com leads to an address that is not public. Use a publicly reachable host, such as hooks.example.com.',
    );
    expect(await check(resolvingTo('8.8.8.8', '10.0.0.1'), true)).to.equal(null);
    expect(await check(resolvingTo('8.8.8.8', '169.254.169.254'), true)).to.contain('not public');
  });

  it('asks no resolver about literal addresses', async () => {
    expect(await check(hangingResolver, false, '[::1]')).to.contain('loopback');
    expect(await check(failingWith('ENOTFOUND'), false, '8.8.8.8')).to.equal(null);
  });

  it('knows localhost without asking anybody', async () => {
    expect(await resolveTarget('localhost', { allowPrivate: false, port: 443, timeoutMs: 5000 })).to.contain(
      'not public',
    );
    expect(await resolveTarget('localhost', { allowPrivate: true, port: 443, timeoutMs: 5000 })).to.equal(null);
  });
});
