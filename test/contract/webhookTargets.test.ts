import { expect } from 'chai';
import { expectInvalid } from '../support/expectError.ts';
import { startWorld, type World } from '../support/world.ts';

describe('targets of webhooks where private ones are not allowed', () => {
  let world: World;

  before(async () => {
    world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'false' });
  });
  after(() => world.stop());

  const bad = {
    http: 'http://1.1.1.1/',
    loopback: 'https://127.0.0.1/',
    'loopback by name': 'https://localhost/',
    'loopback in IPv6': 'https://[::1]/',
    'loopback as a number': 'https://2130706433/',
    'loopback inside IPv6': 'https://[::ffff:127.0.0.1]/',
    'this network': 'https://0.0.0.0/',
    private: 'https://10.0.0.1/',
    'private too': 'https://192.168.1.1/',
    'carrier NAT': 'https://100.64.0.1/',
    'link-local': 'https://169.254.1.1/',
    metadata: 'https://169.254.169.254/latest/meta-data',
    'unique local': 'https://[fd12::1]/',
    multicast: 'https://224.0.0.1/',
    credentials: 'https://user:secret@1.1.1.1/',
    'port 80': 'https://1.1.1.1:80/',
    'port 22': 'https://1.1.1.1:22/',
    'port 1023': 'https://1.1.1.1:1023/',
    'name inside a network': 'https://printer.local/',
    'bare name': 'https://hooks/',
    'another scheme': 'ftp://1.1.1.1/',
    'no scheme': '1.1.1.1/hook',
    'line break': 'https://1.1.1.1/\n',
    empty: '',
    'too long': `https://1.1.1.1/${'x'.repeat(2048)}`,
    'no string': 5,
  };
  for (const [name, url] of Object.entries(bad)) {
    it(`422: ${name}`, async () => expectInvalid(await world.api('POST', '/webhooks', { url }), 'url'));
  }

  it('201 and 200 for a public address, on 443 or a high port', async () => {
    const { status, body } = await world.api('POST', '/webhooks', { url: 'https://1.1.1.1/hook' });
    expect(status).to.equal(201);
    const path = `/webhooks/${body.id}`;
    expect((await world.api('PATCH', path, { url: 'https://1.1.1.1:1024/hook' })).status).to.equal(200);
    expectInvalid(await world.api('PATCH', path, { url: 'https://10.0.0.1/' }), 'url');
  });
});
