// stores: any
import { expect } from 'chai';
import { backoffMs } from '../../../../sdk/app/Pace.ts';
import { SvcError } from '../../../../sdk/app/SvcError.ts';
import { until } from '../../../support/until.ts';
import { LINK, refusal } from './AppServer.ts';
import { Shelf, useApp } from './useApp.ts';

const PASSING = {
  'a broken connection': 'cut',
  silence: 'hang',
  408: { status: 408 },
  425: { status: 425 },
  429: refusal(429, 'rate_limited'),
  500: refusal(500, 'internal_error'),
  503: { status: 503, body: '<html>' },
  'the sign-in page of a public network': { status: 200, body: '<html>Welcome</html>' },
  'JSON of somebody else': { status: 200, body: { ok: true } },
} as const;

describe('sending again', () => {
  const app = useApp();
  const { server, timers } = app;

  for (const [what, play] of Object.entries(PASSING)) {
    it(`goes on by itself after ${what}, with the same events`, async () => {
      const client = app.start();
      await client.track('a');
      server.next('/event', play);
      const flushed = client.flush();
      const first = await server.request('/event');
      if (play === 'hang') await timers.advance(10);
      await flushed;
      expect(timers.waits).to.have.length(1);
      expect(timers.waits[0]).to.be.within(1, 2);
      await timers.advance(2);
      expect((await server.request('/event', 2)).body).to.deep.equal(first.body);
      expect(app.codes()).to.deep.equal([]);
    });
  }

  it('waits longer each time, up to five minutes, and never as long as others', () => {
    for (const [failures, seconds] of [
      [0, [1, 2]],
      [1, [2, 4]],
      [5, [32, 64]],
      [7, [128, 256]],
      [8, [150, 300]],
      [400, [150, 300]],
    ] as const) {
      const waits = Array.from({ length: 200 }, () => backoffMs(failures) / 1000);
      expect(Math.min(...waits)).to.be.within(seconds[0], seconds[0] * 1.1);
      expect(Math.max(...waits)).to.be.within(seconds[1] * 0.9, seconds[1]);
    }
  });

  it('counts failures, until something is accepted; new events do not hurry it', async () => {
    const client = app.start();
    server.next('/event', 'cut', 'cut', 'cut');
    for (const seconds of [1, 2, 4]) {
      await client.track('a');
      await client.flush();
      await client.track('b');
      expect(timers.waits).to.have.length(1);
      expect(timers.waits[0]).to.be.within(seconds, 2 * seconds);
    }
    await client.flush();
    server.next('/event', 'cut');
    await client.track('c');
    await client.flush();
    expect(timers.waits[0]).to.be.within(1, 2);
  });

  it('waits as long as the server says, flush or not', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    for (const [header, seconds] of [
      ['90', 90],
      [inAMinute, 60],
      ['99999999', 86_400],
    ] as const) {
      const client = app.start();
      server.forget();
      server.next('/event', { ...refusal(429, 'rate_limited'), headers: { 'Retry-After': header } });
      await client.track('a');
      await client.flush();
      await client.flush();
      await client.track('b');
      await client.flush();
      expect(server.to('/event')).to.have.length(1);
      expect(timers.waits[0]).to.be.within(seconds - 2, seconds);
      await timers.advance(seconds);
      await server.request('/event', 2);
      expect(server.names).to.deep.equal(['a', 'a', 'b']);
      client.close();
    }
  });

  for (const [status, code] of [
    [401, 'invalid_key'],
    [403, 'secret_key_refused'],
  ] as const) {
    it(`ends with ${status}: the queue stays, and the app hears of it once`, async () => {
      const storage = new Shelf();
      const client = app.start({ storage });
      server.next('/event', refusal(status, code));
      await client.track('a');
      await client.flush();
      await client.track('b');
      await client.flush();
      await timers.advance(3600);
      expect([server.names, app.codes(), timers.waits]).to.deep.equal([['a'], [code], []]);
      await app.start({ storage }).flush();
      expect(server.names).to.deep.equal(['a', 'a', 'b']);
    });
  }

  it('goes on, and says so, after a refusal that nobody foresaw', async () => {
    const client = app.start();
    server.next('/event', refusal(404, 'not_found'));
    await client.track('a');
    await client.flush();
    expect(app.codes()).to.deep.equal(['not_found']);
    await timers.advance(2);
    await server.request('/event', 2);
  });

  it('stops when the client is closed, also with a request under way', async () => {
    const other = app.start();
    await other.track('a');
    server.next('/event', 'hang');
    const flushed = other.flush();
    await server.request('/event');
    other.close();
    await timers.advance(10);
    await flushed;
    server.forget();
    const client = app.start();
    server.next('/event', 'cut');
    await client.track('a');
    await client.flush();
    client.close();
    await client.flush();
    const { link, match } = await client.handleOpen();
    expect([link, match.factors[0]?.name, timers.waits, server.asked.length]).to.deep.equal([null, 'closed', [], 1]);
  });

  it('of many flushes at once makes two at most', async () => {
    const client = app.start();
    await client.track('a');
    server.next('/event', 'cut', 'cut', 'cut');
    await Promise.all(Array.from({ length: 20 }, () => client.flush()));
    expect(server.to('/event').length).to.be.within(1, 2);
  });
});

describe('resolve', () => {
  const app = useApp();
  const { server, timers } = app;

  it('gives the link of a URL, or null', async () => {
    server.next('/resolve', { body: { link: LINK } });
    const client = app.start({ url: `${server.origin}/` });
    const link = await client.resolve('https://go.example.com/spring');
    expect(link).to.deep.include({ shortUrl: LINK.short_url, data: LINK.data });
    expect(await client.resolve('https://go.example.com/none')).to.equal(null);
    expect(server.to('/resolve')[0]?.body).to.deep.equal({ url: 'https://go.example.com/spring' });
  });

  it('throws what was wrong', async () => {
    const client = app.start();
    const caught = (url: string) =>
      client.resolve(url).then(
        () => undefined,
        (error: SvcError) => error,
      );
    server.next('/resolve', { ...refusal(429, 'rate_limited'), headers: { 'Retry-After': '7' } }, 'cut', 'hang');
    const limited = await caught('https://go.example.com/a');
    expect(limited).to.be.instanceOf(SvcError);
    expect(limited).to.include({ code: 'rate_limited', status: 429, requestId: 'req_1', retryAfterSeconds: 7 });
    expect(await caught('https://go.example.com/a')).to.include({ code: 'network_error', status: 0 });
    const silent = caught('https://go.example.com/a');
    await server.request('/resolve', 3);
    await until(() => timers.waits.includes(10), 'the time limit');
    await timers.advance(10);
    expect(await silent).to.include({ code: 'timeout', status: 0, retryAfterSeconds: null });
  });
});
