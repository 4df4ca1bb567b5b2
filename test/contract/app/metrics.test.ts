// stores: any
import { expect } from 'chai';
import { freePort } from '../../support/child.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { startWorld, type World } from '../../support/world.ts';

const TOKEN = 'a token of sixteen signs';

describe('/metrics', () => {
  let world: World;
  let ownPort: number;

  before(async () => {
    ownPort = await freePort();
    world = await startWorld({ METRICS_TOKEN: TOKEN, METRICS_PORT: String(ownPort), LINK_DOMAIN: 'go.example.com' });
  });
  after(() => world.stop());

  const ask = (authorization?: string) =>
    fetch(`${world.origin}/metrics`, { headers: authorization ? { Authorization: authorization } : {} });

  it('of the base host needs METRICS_TOKEN', async () => {
    expect((await ask()).status).to.equal(401);
    for (const wrong of [`Bearer ${TOKEN}x`, 'Bearer ', `Basic ${TOKEN}`, TOKEN]) {
      const refused = await ask(wrong);
      expect([refused.status, refused.headers.get('www-authenticate')], wrong).to.deep.equal([401, 'Bearer']);
      expect(await refused.text()).to.not.contain('svc_api_request_seconds');
    }
    const shown = await ask(`Bearer ${TOKEN}`);
    expect([shown.status, shown.headers.get('content-type')?.split(';')[0]]).to.deep.equal([200, 'text/plain']);
    expect(await shown.text()).to.contain('svc_api_request_seconds');
  });

  it('answers anybody on METRICS_PORT, and nothing else does there', async () => {
    const shown = await fetch(`http://127.0.0.1:${ownPort}/metrics`);
    expect(shown.status).to.equal(200);
    expect(await shown.text()).to.contain('svc_api_request_seconds');
    for (const path of ['/', '/healthz', '/api/v1/links']) {
      expect((await fetch(`http://127.0.0.1:${ownPort}${path}`)).status, path).to.equal(404);
    }
    expect((await fetch(`http://127.0.0.1:${ownPort}/metrics`, { method: 'POST' })).status).to.equal(404);
  });

  it('is a slug like any other on link domains, and not there on hosts that are none of ours', async () => {
    await world.api('POST', '/links', { destination: 'https://example.com/figures', slug: 'metrics' });
    const onHost = (host: string) =>
      rawRequest(world.origin, '/metrics', { host, headers: { Authorization: `Bearer ${TOKEN}` } });
    const followed = await onHost('go.example.com');
    expect([followed.status, followed.headers.location]).to.deep.equal([302, 'https://example.com/figures']);
    expect((await onHost('evil.example')).status).to.equal(404);
  });

  it('is not there at all without a token', async () => {
    await world.stop();
    world = await startWorld();
    expect((await ask(`Bearer ${TOKEN}`)).status).to.equal(404);
  });
});
