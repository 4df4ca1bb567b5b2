// stores: any
import { get, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { firstTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const LINKS =
  'query ($projectId: ID!) { links(projectId: $projectId, limit: 100) { data { id slug destination title } } }';

describe('the encoding of answers of /graphql', () => {
  const world = useWorld();
  let mine: Tenant;
  let owner: string;

  before(async () => {
    mine = await firstTenant(world);
    owner = await ownerSession(world);
    const links = [...Array(60).keys()].map((number) => ({ destination: `https://example.com/${number}` }));
    await mine.api('POST', '/links/bulk', { links });
  });

  /** Without what `fetch` adds and undoes: encodings. */
  const post = (query: string, variables: object, encodings: string) =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const headers = { Cookie: owner, 'Content-Type': 'application/json', 'Accept-Encoding': encodings };
      const asked = request(`${world.origin}/graphql`, { method: 'POST', headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ query, variables }));
    });
  const list = (encodings: string) => post(LINKS, { projectId: mine.projectId }, encodings);

  it('is what the browser prefers, for answers of more than 2 kB', async () => {
    const plain = await list('identity');
    expect(plain.headers).not.to.have.property('content-encoding');
    const expected = JSON.parse(plain.body.toString());
    expect(expected.data.links.data).to.have.length(60);
    const brotli = await list('gzip, deflate, br, zstd');
    expect(brotli.headers).to.include({ 'content-encoding': 'br', 'content-type': plain.headers['content-type'] });
    expect(JSON.parse(brotliDecompressSync(brotli.body).toString())).to.deep.equal(expected);
    expect(brotli.body.length).to.be.lessThan(plain.body.length / 2);
    const gzip = await list('gzip');
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(JSON.parse(gunzipSync(gzip.body).toString())).to.deep.equal(expected);
    for (const { headers } of [plain, brotli, gzip]) expect(headers.vary).to.include('Accept-Encoding');
  });

  it('leaves short answers as they are', async () => {
    const { headers, body } = await post('{ me { id } }', {}, 'gzip, br');
    expect(headers).not.to.have.property('content-encoding');
    expect(JSON.parse(body.toString())).to.have.nested.property('data.me.id');
  });

  it('never compresses what gives a secret, however it is asked for', async () => {
    const hook = { url: 'http://127.0.0.1:9009/hook', event_types: ['link.created'] };
    const { status, body: made } = await mine.api('POST', '/webhooks', hook);
    expect(status, JSON.stringify(made)).to.equal(201);
    const { id } = made;
    const rows = 'data { id slug destination title }';
    for (const query of [
      `query ($id: ID!, $projectId: ID!) { webhookSecret(id: $id) { secret } links(projectId: $projectId) { ${rows} } }`,
      `query ($id: ID!, $projectId: ID!) { ...F } fragment F on Query { webhookSecret(id: $id) { secret } links(projectId: $projectId) { ${rows} } }`,
    ]) {
      const { headers, body } = await post(query, { id, projectId: mine.projectId }, 'gzip, br');
      expect(headers).not.to.have.property('content-encoding');
      expect(body.toString()).to.include('"data"');
      expect(JSON.parse(body.toString()).data.webhookSecret.secret).to.match(/^whsec_/);
      expect(body.length).to.be.greaterThan(2048);
    }
  });

  it('never compresses changes: new keys and secrets are in their answers', async () => {
    const fields = 'id name key scopes createdAt updatedAt';
    const key = (at: number) => `k${at}: createKey(input: { projectId: $projectId, name: "Key ${at}" }) { ${fields} }`;
    const query = `mutation ($projectId: ID!) { ${[...Array(5).keys()].map(key).join(' ')} }`;
    const { headers, body } = await post(query, { projectId: mine.projectId }, 'gzip, br');
    expect(body.length, body.toString()).to.be.greaterThan(2048);
    expect(JSON.parse(body.toString()).data.k0.key).to.match(/^sk_live_/);
    expect(headers).not.to.have.property('content-encoding');
  });

  it('leaves the stream of clicks alone, and counts it against the quota of the session', async () => {
    const headers = { Cookie: owner, 'Accept-Encoding': 'gzip, br' };
    await new Promise<void>((resolve, reject) => {
      const opened = get(
        `${world.origin}/graphql/clicks?project_id=${mine.projectId}`,
        { headers },
        ({ headers, statusCode }) => {
          opened.destroy();
          try {
            expect(statusCode).to.equal(200);
            expect(headers).not.to.have.property('content-encoding');
            expect(headers).to.include.keys('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');
            resolve();
          } catch (error) {
            reject(error);
          }
        },
      );
    });
  });
});
