// stores: any
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { dashboardMounts } from '../../../facade/dashboard.ts';
import { startAppServer } from '../../support/appServer.ts';
import { useWorld } from '../../support/world.ts';

const PAGE =
  '<!doctype html><meta name="csp-nonce" content="{{nonce}}"><script src="/app/assets/main-1a2b.js"></script>';
const SCRIPT = 'export const one = 1;\n'.repeat(200);

describe('the dashboard as it is served', () => {
  useWorld();
  let folder: string;
  let server: Awaited<ReturnType<typeof startAppServer>>;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dashboard-'));
    await mkdir(path.join(folder, 'assets'));
    await writeFile(path.join(folder, 'index.html'), PAGE);
    await writeFile(path.join(folder, 'assets/main-1a2b.js'), SCRIPT);
    await writeFile(path.join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(path.join(folder, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT));
    await writeFile(path.join(folder, 'secret.txt'), 'not served');
    server = await startAppServer(await dashboardMounts([folder]));
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** Without what `fetch` adds and undoes: encodings. */
  const ask = (url: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>(
      (resolve, reject) => {
        get(`${server.origin}${url}`, { headers }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
        }).on('error', reject);
      },
    );

  it('is one page at every address below /app, with a policy that allows no inline script or style', async () => {
    for (const url of ['/app', '/app/', '/app/links?search=a', '/app/a/b/c', '/app/assets']) {
      const { status, headers, body } = await ask(url);
      expect(status, url).to.equal(200);
      expect(headers).to.include({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      });
      const nonce = /content="([A-Za-z0-9+/]{22}==)"/.exec(body.toString())?.[1];
      expect(headers['content-security-policy']).to.equal(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'none'; ` +
          "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; " +
          "form-action 'self'; frame-ancestors 'none'",
      );
    }
  });

  it('has a new nonce in each answer', async () => {
    const nonces = await Promise.all([1, 2, 3].map(async () => (await ask('/app')).body.toString()));
    expect(new Set(nonces)).to.have.property('size', 3);
  });

  it('serves assets as the browser can take them, for ever', async () => {
    const as = (encodings: string) => ask('/app/assets/main-1a2b.js', { 'Accept-Encoding': encodings });
    for (const { headers, status } of [await as('gzip, deflate, br'), await as('gzip'), await as('identity')]) {
      expect(status).to.equal(200);
      expect(headers).to.include({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
    }
    const brotli = await as('gzip, deflate, br');
    expect(brotli.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(brotli.body).toString()).to.equal(SCRIPT);
    const gzip = await as('gzip');
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(gzip.body).toString()).to.equal(SCRIPT);
    const plain = await as('identity');
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(plain.body.toString()).to.equal(SCRIPT);
  });

  it('answers 404 for unknown assets, and never with the page or another file', async () => {
    for (const url of [
      '/app/assets/main-0000.js',
      '/app/assets/',
      '/app/assets/main-1a2b.js.br',
      '/app/assets/..%2fsecret.txt',
    ]) {
      const { status, body, headers } = await ask(url);
      expect(status, url).to.equal(404);
      expect(headers['cache-control'], url).to.equal('no-store');
      expect(body.toString(), url).not.to.match(/doctype|not served/);
    }
  });

  it('answers HEAD as GET without a body, and other methods with 405', async () => {
    for (const url of ['/app', '/app/assets/main-1a2b.js']) {
      const head = await fetch(`${server.origin}${url}`, { method: 'HEAD' });
      expect([head.status, await head.text()], url).to.deep.equal([200, '']);
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const refused = await fetch(`${server.origin}${url}`, { method });
        expect([refused.status, refused.headers.get('allow')], url).to.deep.equal([405, 'GET, HEAD']);
      }
    }
  });

  it('does not begin elsewhere: /apple is no part of it', async () => {
    expect((await ask('/apple')).status).to.equal(404);
  });
});
