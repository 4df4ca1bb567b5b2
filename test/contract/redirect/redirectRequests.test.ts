// stores: any
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { newId } from '../../../src/kernel/ids.ts';
import {
  DESTINATION,
  expectLocation,
  expectPage,
  GO,
  PLAIN,
  UNKNOWN,
  useLinkDomains,
} from '../../support/linkDomains.ts';
import { until } from '../../support/until.ts';

describe('requests to link domains', () => {
  const { world, ask, create } = useLinkDomains();

  it('match a slug byte by byte, except for one final slash and needless percent-encoding', async () => {
    const slug = `Case-${newId('lnk')}/a.b~c`;
    await create({ slug });
    const found = [`/${slug}`, `/${slug}/`, `/${slug.replace('C', '%43')}`, `/${slug}?`, `/${slug}?v`];
    for (const path of found)
      expect((await ask(path)).headers.location, path).to.match(/^https:\/\/www\.example\.com\/(\?v)?$/);
    const lost = [
      slug.toLowerCase(),
      slug.replace('/', '%2F'),
      slug.replace('/', '//'),
      `/${slug}`,
      `${slug}//`,
      `${slug}/x`,
    ];
    const odd = [
      `${slug}%20`,
      `${slug}%00`,
      `./${slug}`,
      `x/../${slug}`,
      slug.replace('C', '%2543'),
      `${slug}%`,
      `${slug}\\`,
    ];
    for (const path of [...lost, ...odd]) expectLocation(await ask(`/${path}`), UNKNOWN);
  });

  it('answer GET, HEAD and POST alike, and nothing else', async () => {
    const { id, slug } = await create();
    for (const method of ['GET', 'HEAD', 'POST']) {
      const reply = await ask(`/${slug}`, { method, ...(method === 'POST' ? { body: 'a=1' } : {}) });
      expectLocation(reply, DESTINATION);
      expect(reply.body, method).to.equal('');
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const reply = await ask(`/${slug}`, { method });
      expect([reply.status, reply.headers.allow], method).to.deep.equal([405, 'GET, HEAD, POST']);
      expect(reply.headers['cache-control']).to.equal('private, no-store');
    }
    await until(async () => (await world().api('GET', `/links/${id}`)).body.clicks === 2, 'two people');
    const rows = await query<{ reason: string }>('SELECT traffic_reason AS reason FROM clicks WHERE link_id = :id', {
      id,
    });
    expect(rows.map(({ reason }) => reason)).to.have.members([null, null, 'head']);
  });

  it('with two Host headers are refused, on every host and in either order', async () => {
    const { slug } = await create();
    const { host } = new URL(world().origin);
    for (const [first, second] of [
      [GO, 'evil.example'],
      ['evil.example', GO],
      [GO, GO],
      [host, GO],
    ] as const) {
      for (const path of [`/${slug}`, '/healthz', '/api/v1/links']) {
        const reply = await ask(path, { host: first, headers: { hOsT: second } });
        expect([reply.status, reply.headers.connection], `${first} ${second} ${path}`).to.deep.equal([400, 'close']);
      }
    }
  });

  it('echo a sane X-Request-Id, and make one otherwise', async () => {
    const { slug } = await create();
    const idOf = async (id: string, path = `/${slug}`) =>
      (await ask(path, { headers: { 'X-Request-Id': id } })).headers['x-request-id'];
    expect(await idOf('trace-42')).to.equal('trace-42');
    expect(await idOf('trace-42', '/nobody-has-this')).to.equal('trace-42');
    for (const odd of ['a b', '<x>', 'x'.repeat(200), '']) expect(await idOf(odd)).to.match(/^req_\w+$/);
  });

  it('are not answered on foreign hosts, nor on the base host', async () => {
    const { slug } = await create();
    const [, port] = new URL(world().origin).host.split(':');
    for (const host of [
      'elsewhere.example.com',
      `x.${GO}`,
      `${GO}.evil.test`,
      `${GO}:8443`,
      'go.example.com@evil.test',
      '',
    ]) {
      const reply = await ask(`/${slug}`, { host });
      expect([reply.status, reply.headers.location], host).to.deep.equal([404, undefined]);
    }
    expect((await ask(`/${slug}`, { host: `localhost:${port}` })).status).to.equal(404);
    for (const host of ['GO.Example.COM', `${GO}.`, `${GO}:80`])
      expectLocation(await ask(`/${slug}`, { host }), DESTINATION);
    expect((await ask('/api/v1/links')).headers.location).to.equal(UNKNOWN);
  });

  it('handle long paths and queries', async () => {
    const { slug } = await create({ routing: { forward_path: true } });
    const long = 'x'.repeat(6000);
    expectLocation(await ask(`/${slug}?v=${long}`), `${DESTINATION}?v=${long}`);
    expectLocation(await ask(`/${slug}/${long}`), DESTINATION + long);
    expectLocation(await ask(`/${long}`), UNKNOWN);
    expectLocation(await ask(`/${'a/'.repeat(3000)}`), UNKNOWN);
    expectLocation(await ask(`/${slug}?${'&'.repeat(6000)}v=1`), `${DESTINATION}?${'&'.repeat(6000)}v=1`);
    // More than a head of 16 KiB is cut off by Node, sometimes before the answer is read.
    const tooLong = await ask(`/${slug}?v=${'x'.repeat(20_000)}`).catch(() => ({ status: 431 }));
    expect(tooLong.status).to.equal(431);
    expectLocation(await ask(`/${slug}`), DESTINATION);
  });

  it('cannot inject into the response', async () => {
    const { slug } = await create({
      destination: 'https://www.example.com/ü?ö=%0d%0aX:y',
      routing: { forward_path: true },
    });
    const own = 'https://www.example.com/%C3%BC';
    const query = '?%C3%B6=%0d%0aX:y';
    const odd = '%0d%0aSet-Cookie:%20a=b%00%0A';
    const reply = await ask(`/${slug}/${odd}?v=${odd}&"<b>'`);
    expectLocation(reply, `${own}/${odd}${query}&v=${odd}&%22%3Cb%3E'`);
    expect(reply.headers).to.not.have.any.keys('set-cookie', 'x');
    for (const path of [`/${slug}?v=1\rX: y`, `/${slug}?v=\0`, `/${slug} X`, `/${slug}?v=ü`, `/${slug}?v=1\r\nX: y`]) {
      const { headers } = await ask(path);
      expect(headers.location ?? '', JSON.stringify(path)).to.match(/^(https:[!-~]+)?$/);
      expect(headers).to.not.have.any.keys('set-cookie', 'x');
    }
    const page = await ask('/%3Cscript%3Ealert(1)%3C/script%3E?<script>', { host: PLAIN });
    expectPage(page, 404);
    expect(page.body).to.not.include('alert(1)');
  });
});
