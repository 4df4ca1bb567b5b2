// stores: any
import { expect } from 'chai';
import type { Reply } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { useOwnWorld } from '../../support/world.ts';

/** What is said of the field. */
function messageOf({ body }: Reply): string {
  return body.error.fields[0].message;
}

describe('targets of webhooks where private ones are not allowed', () => {
  const world = useOwnWorld({
    ALLOW_PRIVATE_TARGETS: 'false',
    SDK_URL: 'https://sdk.links.example.com:8443',
    LINK_DOMAIN: 'go.links.example.com',
  });

  const bad: [name: string, url: unknown, message: string][] = [
    ['http', 'http://1.1.1.1/', 'Use https:'],
    ['another scheme', 'ftp://1.1.1.1/', 'http or https'],
    ['no scheme', '1.1.1.1/hook', 'absolute URL'],
    ['empty', '', 'empty'],
    ['credentials', 'https://user:secret@1.1.1.1/', 'user name or password'],
    ['port 80', 'https://1.1.1.1:80/', 'Port 80 is not allowed'],
    ['port 22', 'https://1.1.1.1:22/', 'Port 22'],
    ['port 1023', 'https://1.1.1.1:1023/', 'Port 1023'],
    ['loopback', 'https://127.0.0.1/', 'loopback'],
    ['our own host', 'https://localhost/', 'this service itself'],
    ['loopback by name', 'https://x.localhost/', 'ends in .localhost, which is this machine'],
    ['loopback in IPv6', 'https://[::1]/', 'loopback'],
    ['loopback as a number', 'https://2130706433/', 'loopback'],
    ['loopback inside IPv6', 'https://[::ffff:127.0.0.1]/', 'loopback'],
    ['this network', 'https://0.0.0.0/', 'this network'],
    ['private', 'https://10.0.0.1/', 'private address'],
    ['private too', 'https://192.168.1.1/', 'private address'],
    ['carrier NAT', 'https://100.64.0.1/', 'carrier'],
    ['link-local', 'https://169.254.1.1/', 'link-local'],
    ['metadata', 'https://169.254.169.254/latest/meta-data', 'metadata'],
    ['metadata by name', 'https://metadata.google.internal/', 'metadata'],
    ['unique local', 'https://[fd12::1]/', 'private address'],
    ['multicast', 'https://224.0.0.1/', 'multicast'],
    ['name inside a network', 'https://printer.local/', 'ends in .local'],
    ['bare name', 'https://hooks/', 'not a full host name'],
    ['name that does not exist', `https://${'x'.repeat(64)}.example.com/`, 'does not exist'],
    ['the host of our SDK', 'https://sdk.links.example.com:8443/hook', 'this service itself'],
    ['the host of our SDK at another port', 'https://sdk.links.example.com/hook', 'this service itself'],
    ['the host of our links', 'https://go.links.example.com/hook', 'this service itself'],
    ['line break', 'https://1.1.1.1/\n', 'spaces, tabs, line breaks'],
    ['too long', `https://1.1.1.1/${'x'.repeat(2048)}`, ''],
    ['no string', 5, ''],
  ];
  for (const [name, url, message] of bad) {
    it(`422: ${name}`, async () => {
      const answer = await world.api('POST', '/webhooks', { url });
      expectInvalid(answer, 'url');
      expect(messageOf(answer)).to.contain(message);
    });
  }

  it('201 and 200 for a public address, on 443 or a high port', async () => {
    const { status, body } = await world.api('POST', '/webhooks', { url: 'https://1.1.1.1/hook' });
    expect(status).to.equal(201);
    const path = `/webhooks/${body.id}`;
    expect((await world.api('PATCH', path, { url: 'https://1.1.1.1:1024/hook' })).status).to.equal(200);
    expectInvalid(await world.api('PATCH', path, { url: 'https://10.0.0.1/' }), 'url');
  });
});

describe('targets of webhooks where private ones are allowed', () => {
  const world = useOwnWorld({ SDK_URL: 'http://sdk.links.example.com:8443', LINK_DOMAIN: 'go.links.example.com' });
  let port: string;

  before(async () => {
    ({ port } = new URL(world.origin));
  });

  const save = (url: string) => world.api('POST', '/webhooks', { url });

  it('201: http, loopback and private addresses', async () => {
    for (const url of [
      'http://localhost:9999/',
      'http://127.0.0.1:9999/',
      'http://10.0.0.1/',
      'https://[fd12::1]:8443/',
    ]) {
      expect((await save(url)).status, url).to.equal(201);
    }
  });

  it('422: our own host and port, in every spelling of this machine', async () => {
    const own = ['localhost', '127.0.0.1', '[::1]', 'x.localhost', '2130706433'].map(
      (host) => `http://${host}:${port}/`,
    );
    for (const url of [...own, 'http://sdk.links.example.com:8443/', 'https://go.links.example.com/']) {
      const answer = await save(url);
      expectInvalid(answer, 'url');
      expect(messageOf(answer), url).to.contain('this service itself');
    }
  });

  it('422: metadata', async () => {
    for (const url of ['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal/']) {
      expectInvalid(await save(url), 'url');
    }
  });

  it('422: low ports and credentials', async () => {
    for (const url of ['http://127.0.0.1:22/', 'http://user:secret@127.0.0.1:9999/']) {
      expectInvalid(await save(url), 'url');
    }
  });
});
