// stores: any
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Team } from '../../../src/models/Team.ts';
import { graphql } from '../../support/graphql.ts';
import { Loopback } from '../../support/loopback.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useSettings, useWorld } from '../../support/world.ts';

const READ = `query ($projectId: ID!, $url: String!) { pageMetadata(projectId: $projectId, url: $url) {
  title description siteName imageUrl image { mediaType base64 } problem
} }`;
const NOTHING = { title: null, description: null, siteName: null, imageUrl: null, image: null };
/** One black pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
const PAGE = '<title>The page</title><meta property="og:description" content="About &amp; more">';

describe('Query.pageMetadata', () => {
  const world = useWorld();
  const loopback = new Loopback();
  const heads: { url: string; headers: object }[] = [];
  let mine: Tenant;
  let cookie: string;
  let origin: string;

  const html = (body: string | Buffer, headers: object = {}): RequestListener => {
    return (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body);
  };
  const sendOn = (location: string): RequestListener => {
    return (_request, response) => void response.writeHead(302, { Location: location }).end();
  };
  const picture = (body: Buffer, type = 'image/png') => html(body, { 'Content-Type': type });
  const PAGES: Record<string, RequestListener> = {
    '/page': html(`${PAGE}<meta property="og:image" content="/picture">`),
    '/hostile': html('<title>&lt;img src=x onerror=alert(1)&gt;</title><script>document.title = 1</script>'),
    '/picture': picture(PNG),
    '/svg': html('<title>x</title><meta property="og:image" content="/svg-picture">'),
    '/svg-picture': picture(Buffer.from('<svg/>'), 'image/svg+xml'),
    '/disguised': html('<title>x</title><meta property="og:image" content="/disguised-picture">'),
    '/disguised-picture': picture(Buffer.from('<svg onload="alert(1)"/>')),
    '/huge-picture': picture(Buffer.concat([PNG, Buffer.alloc(1_000_001)])),
    '/elsewhere-picture': html('<title>x</title><meta property="og:image" content="http://169.254.169.254/x.png">'),
    '/text': html('<title>x</title>', { 'Content-Type': 'text/plain' }),
    '/bomb': html(gzipSync(Buffer.alloc(1_000_000)), { 'Content-Encoding': 'gzip' }),
    '/latin1': html(Buffer.from('<title>Größe</title>', 'latin1'), { 'Content-Type': 'text/html; charset=iso-8859-1' }),
    '/moved': sendOn('/page'),
    '/cookies': (_request, response) =>
      void response.writeHead(302, { Location: '/page', 'Set-Cookie': 'a=b; Path=/' }).end(),
    '/around': sendOn('/around'),
    '/file': sendOn('file:///etc/passwd'),
    '/metadata': sendOn('http://169.254.169.254/latest/meta-data/'),
    '/failing': (_request, response) => void response.writeHead(500, { 'Content-Type': 'text/html' }).end(PAGE),
    '/endless': (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).write(PAGE);
      const more = () => response.write('x'.repeat(64 * 1024), (error) => !error && setImmediate(more));
      more();
    },
    '/slow': (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).write(PAGE);
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    },
    '/silent': () => {},
  };

  before(async () => {
    mine = await firstTenant(world);
    cookie = await ownerSession(world);
    const port = await loopback.http((request, response) => {
      heads.push({ url: request.url ?? '', headers: request.headers });
      const page = PAGES[request.url ?? ''];
      if (page) page(request, response);
      else response.writeHead(404).end();
    });
    origin = `http://127.0.0.1:${port}`;
  });
  beforeEach(() => heads.splice(0));
  after(() => loopback.close());

  const ask = (url: string, by = cookie, projectId = mine.projectId) =>
    graphql(world.origin, READ, { projectId, url }, by);
  const read = async (url: string) => {
    const { data, errors } = await ask(url);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    return data.pageMetadata;
  };
  const codeOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).errors?.[0]?.extensions.code;

  it('gives title, description and picture of a page', async () => {
    const page = await read(`${origin}/page#part`);
    expect(page).to.deep.equal({
      title: 'The page',
      description: 'About & more',
      siteName: null,
      imageUrl: `${origin}/picture`,
      image: { mediaType: 'image/png', base64: PNG.toString('base64') },
      problem: null,
    });
    expect((await read(`${origin}/moved`)).title).to.equal('The page');
    expect((await read(`${origin}/latin1`)).title).to.equal('Größe');
    expect((await read(`${origin}/hostile`)).title).to.equal('<img src=x onerror=alert(1)>');
  });

  it('gives the picture that a URL leads to', async () => {
    const { image, imageUrl, title, problem } = await read(`${origin}/picture`);
    expect([image.mediaType, imageUrl, title, problem]).to.deep.equal(['image/png', `${origin}/picture`, null, null]);
  });

  it('sends no cookies, no credentials and no referrer', async () => {
    await read(`${origin}/cookies`);
    expect(heads.map(({ url }) => url)).to.deep.equal(['/cookies', '/page', '/picture']);
    for (const { headers } of heads) expect(headers).to.not.have.any.keys('cookie', 'authorization', 'referer');
    expect(await read(origin.replace('//', '//user:secret@'))).to.deep.equal({ ...NOTHING, problem: 'not_a_page' });
  });

  it('shows no picture that is a document, too large, or at another address than it may ask', async () => {
    for (const path of ['/svg', '/disguised', '/elsewhere-picture']) {
      expect(await read(origin + path), path).to.deep.include({ title: 'x', image: null, problem: null });
    }
    for (const path of ['/huge-picture', '/disguised-picture', '/svg-picture']) {
      expect(await read(origin + path), path).to.deep.equal({ ...NOTHING, problem: 'not_a_page' });
    }
  });

  it('reads the first megabyte of an endless page', async () => {
    expect(await read(`${origin}/endless`)).to.include({ title: 'The page', problem: null });
    await loopback.allEnded();
  });

  const unread: [path: string, problem: string][] = [
    ['/text', 'not_a_page'],
    ['/bomb', 'not_a_page'],
    ['/failing', 'error_status'],
    ['/nowhere', 'error_status'],
    ['/around', 'redirects'],
    ['/file', 'redirects'],
    ['/metadata', 'private_address'],
  ];
  for (const [path, problem] of unread) {
    it(`says ${problem} of ${path}`, async () => {
      expect(await read(origin + path)).to.deep.equal({ ...NOTHING, problem });
    });
  }

  it('asks nothing but the web', async () => {
    for (const url of [
      '',
      'example.com',
      'file:///etc/passwd',
      'ftp://example.com/',
      'javascript:1',
      `http://${'x'.repeat(9000)}`,
    ]) {
      expect(await read(url), url).to.deep.equal({ ...NOTHING, problem: 'not_a_page' });
    }
    expect((await read('http://no-such-host.invalid/')).problem).to.equal('unreachable');
  });

  it('is refused to viewers, to strangers, for projects of others, and in survival mode', async () => {
    const url = `${origin}/page`;
    expect(await codeOf(url, await memberSession(world, mine.teamId, 'viewer'))).to.equal('insufficient_scope');
    expect(await codeOf(url, '')).to.equal('not_signed_in');
    expect(await codeOf(url, cookie, (await makeTenant(world)).projectId)).to.equal('not_found');
    const setStatus = (status: Team['status']) =>
      inTransaction((transaction) => Team.update({ status }, { where: { id: mine.teamId }, transaction }));
    await setStatus('read_only');
    try {
      expect(await codeOf(url)).to.equal('team_read_only');
    } finally {
      await setStatus('active');
    }
    expect(heads).to.deep.equal([]);
  });

  describe('where time is short', () => {
    useSettings({ pageReadSeconds: 1 });

    it('waits no longer for slow and silent pages', async () => {
      for (const path of ['/slow', '/silent']) expect((await read(origin + path)).problem).to.equal('timeout');
    });

    it('reads a few pages of a team at a time', async () => {
      const problems = (await Promise.all(Array.from({ length: 5 }, () => read(`${origin}/silent`)))).map(
        ({ problem }) => problem,
      );
      expect(problems.sort()).to.deep.equal(['busy', 'busy', 'timeout', 'timeout', 'timeout']);
    });
  });

  describe('where private addresses are refused', () => {
    useSettings({ allowPrivateTargets: false });

    it('asks none of them', async () => {
      for (const url of [
        `${origin}/page`,
        origin.replace('127.0.0.1', '[::1]'),
        'http://2130706433/',
        'http://10.0.0.1/',
      ]) {
        expect((await read(url)).problem, url).to.be.oneOf(['refused', 'private_address']);
      }
      expect(heads).to.deep.equal([]);
    });
  });
});

describe('the quota of Query.pageMetadata', () => {
  const world = useWorld({ RATE_LIMIT_PAGE_READS_PER_MINUTE: '2' });

  it('is that of the team', async () => {
    const { projectId, teamId } = await firstTenant(world);
    const ask = async (by: string) =>
      (await graphql(world.origin, READ, { projectId, url: 'http://no-such-host.invalid/' }, by)).errors?.[0]
        ?.extensions.code;
    const owner = await ownerSession(world);
    expect([await ask(owner), await ask(owner)]).to.deep.equal([undefined, undefined]);
    expect(await ask(owner)).to.equal('rate_limited');
    expect(await ask(await memberSession(world, teamId, 'member'))).to.equal('rate_limited');
  });
});
