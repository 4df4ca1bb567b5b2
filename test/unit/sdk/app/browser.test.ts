// plays, stores: none
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Loopback } from '../../../support/loopback.ts';
import { inRoot } from '../../../support/root.ts';
import { until } from '../../../support/until.ts';
import { AppServer, LINK, opened } from './AppServer.ts';
import { bundle } from './bundle.ts';
import { Chromium } from './Chromium.ts';

const TYPES: Record<string, string> = { '/sdk.js': 'text/javascript', '/': 'text/html' };

// biome-ignore lint/suspicious/noExplicitAny: what the page tells
type Report = any;

describe(`the app SDK in Chromium${Chromium.missing ? ` (${Chromium.missing})` : ''}`, function () {
  this.timeout(180_000);
  const server = new AppServer();
  const loopback = new Loopback();
  const browser = new Chromium();
  const reports = new Map<string, Report>();
  const report = (step: string): Promise<Report> => until(() => reports.get(step), `the report of ${step}`);

  before(async function () {
    if (Chromium.missing) this.skip();
    const files: Record<string, string> = {
      '/sdk.js': (await bundle('esm')).code,
      '/': await readFile(inRoot('test/unit/sdk/app/page.html'), 'utf8'),
    };
    await server.start();
    server.next('/open', opened(LINK));
    const port = await loopback.http(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (pathname === '/report') {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        reports.set(String(searchParams.get('step')), JSON.parse(Buffer.concat(chunks).toString()));
      }
      response.setHeader('Content-Type', TYPES[pathname] ?? 'text/plain').end(files[pathname] ?? '');
    });
    await browser.open(`http://127.0.0.1:${port}/?server=${encodeURIComponent(server.origin)}&step=open`);
  });
  after(async () => {
    await browser.close();
    await server.stop();
    await loopback.close();
  });

  it('opens on another origin, and tells of the page', async () => {
    const { heard, data, method, errors } = await report('open');
    expect([heard, data, method, errors]).to.deep.equal([['spring'], LINK.data, 'referrer', []]);
    const { body } = await server.request('/open');
    expect(body).to.include({ first_open: true, platform: 'web' });
    expect(body.url).to.contain('step=open');
    expect(body.language).to.match(/^[a-z]{2}/);
    expect(body.timezone).to.be.a('string');
    expect(body.screen.width * body.screen.height * body.screen.scale).to.be.above(0);
  });

  it('sends what is left when the page goes away', async () => {
    await until(() => server.names.includes('last click'), 'the event of the page that went away');
  });

  it('remembers the install on the next page', async () => {
    expect(await report('return')).to.deep.equal({
      link: null,
      installId: (await report('open')).installId,
      errors: [],
    });
    expect((await server.request('/open', 2)).body.first_open).to.equal(false);
  });

  it('sends at most 60 KiB of it then, and the rest later', async () => {
    expect(await report('rest')).to.deep.equal({ left: null, errors: [] });
    const [leaving] = server.to('/event').filter(({ body }) => body.events[0].name === 'big0');
    expect(leaving?.bytes).to.be.within(50 * 1024, 60 * 1024);
    const big = server.names.filter((name) => name.startsWith('big'));
    expect(new Set(big)).to.have.property('size', 60);
  });

  it('loses no event of two tabs that write and send at the same time', async () => {
    const { installId } = await report('open');
    for (const tab of ['tab1', 'tab2']) {
      expect(await report(tab)).to.deep.equal({ installId, errors: [] });
      const names = server.names.filter((name) => name.startsWith(`${tab}-`));
      expect(new Set(names)).to.have.property('size', 40);
      expect(names.slice(0, 6)).to.deep.equal([0, 1, 2, 3, 4, 5].map((at) => `${tab}-${at}`));
    }
  });
});
