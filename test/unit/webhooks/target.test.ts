import { expect } from 'chai';
import type { Resolver } from '../../../src/webhooks/resolver.ts';
import { resolveTarget, targetProblem } from '../../../src/webhooks/target.ts';
import { failingWith, hangingResolver, resolvingTo } from '../../support/senders.ts';

const ownHosts = ['app.links.example', 'GO.links.example:8443', '[2606:4700:4700::1111]:3000'];
const refused = (url: string, allowPrivate = false) => targetProblem(url, { allowPrivate, ownHosts }) !== null;

describe('the target of a webhook, as it is saved', () => {
  it('is an https URL of a public host', () => {
    for (const url of [
      'https://hooks.example.com/in?a=b#c',
      'https://hooks.example.com:443/',
      'https://hooks.example.com:1024',
      'https://hooks.example.com:65535',
      'HTTPS://HOOKS.example.com',
      'https://bücher.example/',
      'https://a_b.example.com/',
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1001]/',
      `https://hooks.example.com/${'a'.repeat(2022)}`,
    ]) {
      expect(targetProblem(url, { allowPrivate: false, ownHosts }), url).to.equal(null);
      expect(refused(url, true), url).to.equal(false);
    }
  });

  it('is refused in development too when it is no safe URL', () => {
    for (const url of [
      '',
      'hooks.example.com',
      '//hooks.example.com',
      'ftp://hooks.example.com',
      'javascript:alert(1)',
      'https:hooks.example.com',
      'https://',
      'https://user@hooks.example.com',
      'https://user:secret@hooks.example.com',
      'https://:secret@hooks.example.com',
      'https://hooks.example.com:22',
      'https://hooks.example.com:1023',
      'https://hooks.example.com:0',
      'https://hooks.example.com:65536',
      'https://hooks.example.com./',
      'https://localhost./',
      'https://hooks..example.com/',
      ' https://hooks.example.com',
      'https://hooks.exa\nmple.com',
      'https://hooks.example.com/a b',
      'https://hooks.example.com/\u0000',
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:a9fe:a9fe]/',
      'https://[fd00:ec2::254]/',
      'https://0xa9fea9fe/',
      'https://0/',
      'https://[fe80::1%25eth0]/',
      `https://hooks.example.com/${'a'.repeat(2023)}`,
    ]) {
      expect(refused(url), url).to.equal(true);
      expect(refused(url, true), url).to.equal(true);
    }
  });

  it('may be http, private or our own only in development', () => {
    for (const url of [
      'http://hooks.example.com/',
      'http://hooks.example.com:80/',
      'https://hooks.example.com:80/',
      'http://localhost:8080/',
      'https://localhost/',
      'https://x.localhost/',
      'https://intranet/',
      'https://printer.local/',
      'https://metadata.google.internal/',
      'https://router.home.arpa/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://017700000001/',
      'https://127.0.0.1./',
      'https://[::1]:8443/',
      'https://[::ffff:10.0.0.1]/',
      'https://10.1.2.3/',
      'https://app.links.example/',
      'https://APP.links.example:9999/',
      'https://go.links.example/',
      'https://[2606:4700:4700::1111]/',
    ]) {
      expect(refused(url), url).to.equal(true);
      expect(refused(url, true), url).to.equal(false);
    }
  });
});

describe('the target of a webhook, as DNS knows it', () => {
  const check = (resolver: Resolver, allowPrivate = false, hostname = 'hooks.example.com') =>
    resolveTarget(hostname, { allowPrivate, resolver, timeoutMs: 30 });

  it('is fine when every address is public', async () => {
    expect(await check(resolvingTo('8.8.8.8', '2606:4700:4700::1111'))).to.equal(null);
  });

  it('is refused when the name does not exist or has no address', async () => {
    for (const resolver of [failingWith('ENOTFOUND'), failingWith('ENODATA'), resolvingTo()]) {
      expect(await check(resolver)).to.equal('The host name hooks.example.com does not exist.');
    }
  });

  it('is accepted when the resolver fails', async () => {
    for (const resolver of [
      failingWith('EAI_AGAIN'),
      failingWith('ESERVFAIL'),
      failingWith('ECONNREFUSED'),
      hangingResolver,
    ]) {
      expect(await check(resolver)).to.equal(null);
    }
  });

  it('is refused when one address is not public', async () => {
    expect(await check(resolvingTo('8.8.8.8', '10.0.0.1'))).to.contain('10.0.0.1 is a private address');
    expect(await check(resolvingTo('8.8.8.8', '10.0.0.1'), true)).to.equal(null);
    expect(await check(resolvingTo('169.254.169.254'), true)).to.contain('metadata');
  });

  it('asks no resolver about literal addresses', async () => {
    expect(await check(hangingResolver, false, '[::1]')).to.contain('loopback');
    expect(await check(failingWith('ENOTFOUND'), false, '8.8.8.8')).to.equal(null);
  });

  it('asks the system by default, the hosts file included', async () => {
    expect(await resolveTarget('localhost', { allowPrivate: false, timeoutMs: 5000 })).to.contain('loopback');
    expect(await resolveTarget('localhost', { allowPrivate: true, timeoutMs: 5000 })).to.equal(null);
  });
});
