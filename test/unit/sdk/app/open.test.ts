// stores: any
import { expect } from 'chai';
import type { SvcLink } from '../../../../sdk/app/index.ts';
import { until } from '../../../support/until.ts';
import { LINK, opened, refusal } from './AppServer.ts';
import { KEY, Shelf, UUID, useApp } from './useApp.ts';

const FOUND: SvcLink = {
  id: LINK.id,
  slug: LINK.slug,
  domain: LINK.domain,
  shortUrl: LINK.short_url,
  destination: LINK.destination,
  data: LINK.data,
};

describe('an opened app', () => {
  const app = useApp();
  const { server, timers } = app;
  const firstOpens = () => server.to('/open').map(({ body }) => body.first_open);

  it('tells of itself and of the device, with the key, and gets the link', async () => {
    server.next('/open', opened(LINK));
    const about = { appVersion: '1.4.0', osVersion: '26.1', deviceModel: 'iPhone17,3', language: 'de-DE' };
    const client = app.start({ ...about, timezone: 'Europe/Berlin', screen: { width: 393, height: 852, scale: 3 } });
    const result = await client.handleOpen('https://go.example.com/spring');

    const { headers, body } = await server.request('/open');
    expect([headers['x-svc-key'], headers['content-type']]).to.deep.equal([KEY, 'application/json']);
    expect(body.install_id)
      .to.match(UUID)
      .and.to.equal(await client.installId());
    expect(body).to.deep.equal({
      install_id: body.install_id,
      first_open: true,
      platform: 'ios',
      app_version: '1.4.0',
      os_version: '26.1',
      device_model: 'iPhone17,3',
      language: 'de-DE',
      timezone: 'Europe/Berlin',
      screen: { width: 393, height: 852, scale: 3 },
      url: 'https://go.example.com/spring',
    });
    expect(result).to.deep.equal({
      openId: 'opn_1',
      match: {
        matched: true,
        method: 'referrer',
        confidence: 100,
        guaranteed: true,
        clickedAt: '2026-11-20T08:00:00.000Z',
        factors: [{ name: 'address', points: 0 }],
      },
      link: FOUND,
    });
  });

  it('tells what Google Play and the clipboard say, verbatim and at first; of a clipboard without a token nothing', async () => {
    const clipboard = 'https://go.example.com/spring?svc_click=1.a.b.c';
    const begun = new Date('2026-11-20T08:01:00.000Z');
    const told = { installReferrer: 'svc_click=1.a.b.c&x=%20', referrerClickAt: '2026-11-20T08:00:00Z' };
    await app.start().handleOpen(null, { ...told, installBeginAt: begun, clipboard });
    const other = app.start();
    await other.handleOpen(null, { clipboard: 'my password' });
    await other.handleOpen(null, { installReferrer: 'svc_click=1.a.b.c', clipboard });
    const [all, nothing, later] = server.to('/open').map(({ body }) => body);
    expect(all).to.deep.include({
      install_referrer: 'svc_click=1.a.b.c&x=%20',
      referrer_click_at: '2026-11-20T08:00:00Z',
      install_begin_at: '2026-11-20T08:01:00.000Z',
      clipboard,
    });
    for (const body of [nothing, later]) expect(body).not.to.have.any.keys('clipboard', 'url', 'install_referrer');
  });

  it('asks for details once, at the first opening, and goes on without them when that fails', async () => {
    const storage = new Shelf();
    let asked = 0;
    const details = async () => {
      asked += 1;
      return { installReferrer: 'svc_click=1.a.b.c' };
    };
    server.next('/open', 'cut');
    await app.start({ storage }).handleOpen(null, details);
    const again = app.start({ storage });
    await again.handleOpen(null, details);
    await again.handleOpen(null, details);
    await app.start().handleOpen(null, () => Promise.reject(new Error('No Play services')));
    expect(server.to('/open').map(({ body }) => body.install_referrer)).to.deep.equal([
      'svc_click=1.a.b.c',
      'svc_click=1.a.b.c',
      undefined,
      undefined,
    ]);
    expect([asked, app.codes()]).to.deep.equal([1, ['callback_failed']]);
  });

  it('tells of consent, and of a change of it', async () => {
    const client = app.start({ consent: false });
    await client.handleOpen();
    client.setConsent(true);
    await client.handleOpen();
    await app.start().handleOpen();
    expect(server.to('/open').map(({ body }) => body.consent)).to.deep.equal([false, true, undefined]);
  });

  it('is opened for the first time until an answer came, over all starts', async () => {
    const storage = new Shelf();
    server.next('/open', 'cut', refusal(503, 'unavailable'));
    await app.start({ storage }).handleOpen();
    await app.start({ storage }).handleOpen();
    const third = app.start({ storage });
    await third.handleOpen();
    await third.handleOpen();
    await app.start({ storage }).handleOpen();
    expect(firstOpens()).to.deep.equal([true, true, true, false, false]);
    expect(new Set(server.to('/open').map(({ body }) => body.install_id))).to.have.property('size', 1);
  });

  it('counts as not yet answered when it asked too often', async () => {
    server.next('/open', { ...opened(null, 'rate_limited'), headers: { 'Retry-After': '40' } }, opened(LINK));
    const client = app.start();
    const { link, match } = await client.handleOpen();
    expect([link, match.factors[0]?.name]).to.deep.equal([null, 'rate_limited']);
    expect(timers.waits).to.deep.equal([40]);
    await client.handleOpen();
    expect(firstOpens()).to.deep.equal([true, true]);
  });

  it('gets no link, and nothing is thrown, when the network is away, silent or not ours', async () => {
    const client = app.start();
    for (const [play, why] of [
      ['cut', 'network_error'],
      ['hang', 'timeout'],
      [{ body: '<html>Sign in</html>' }, 'bad_response'],
      [{ body: { hello: 'world' } }, 'bad_response'],
      [{ status: 502, body: 'Bad Gateway' }, 'bad_response'],
      [refusal(500, 'internal_error'), 'internal_error'],
    ] as const) {
      server.forget();
      server.next('/open', play);
      const answer = client.handleOpen();
      await server.request('/open');
      if (play === 'hang') await timers.advance(10);
      const { openId, link, match } = await answer;
      expect([openId, link]).to.deep.equal([null, null]);
      expect(match).to.deep.include({ matched: false, method: 'none', factors: [{ name: why, points: 0 }] });
    }
    expect(app.codes()).to.deep.equal([]);
  });

  it('is told of again by itself, with all that was told before, and listeners hear of its link', async () => {
    server.next('/open', 'cut', opened(LINK));
    const client = app.start();
    const heard: unknown[] = [];
    client.onLink((link, { match }) => heard.push([link, match.method]));
    await client.handleOpen(null, { installReferrer: 'svc_click=1.a.b.c' });
    expect(heard).to.deep.equal([]);
    await timers.advance(2);
    expect((await server.request('/open', 2)).body).to.deep.include({
      first_open: true,
      install_referrer: 'svc_click=1.a.b.c',
    });
    await until(() => heard.length, 'the link');
    expect(heard).to.deep.equal([[FOUND, 'referrer']]);
    expect((await client.handleOpen()).link).to.equal(null);
  });

  it('is told of again by the next start, though that is not told to', async () => {
    const storage = new Shelf();
    server.next('/open', 'cut', opened(LINK));
    const first = app.start({ storage });
    await first.handleOpen(null, { installReferrer: 'svc_click=1.a.b.c' });
    first.close();
    app.start({ storage });
    await timers.advance(5);
    expect((await server.request('/open', 2)).body.install_referrer).to.equal('svc_click=1.a.b.c');
  });

  it('finds a link that came while nobody listened by the next handleOpen, or by the first listener', async () => {
    for (const way of ['handleOpen', 'onLink'] as const) {
      server.forget();
      server.next('/open', 'cut', opened(LINK));
      const client = app.start();
      await client.handleOpen();
      await timers.advance(2);
      await server.request('/open', 2);
      await client.flush();
      const heard: SvcLink[] = [];
      if (way === 'onLink') client.onLink((link) => heard.push(link));
      const { link } = await client.handleOpen();
      expect(way === 'onLink' ? [heard, link] : [[], link], way).to.deep.equal(
        way === 'onLink' ? [[FOUND], null] : [[], FOUND],
      );
      expect((await client.handleOpen()).link).to.equal(null);
    }
  });

  it('tells listeners of every link until they have enough, whatever other listeners do', async () => {
    server.next('/open', opened(LINK), opened(null), opened(LINK), opened(LINK));
    const client = app.start();
    const heard: string[] = [];
    client.onLink(() => {
      throw new Error('A bug');
    });
    const stop = client.onLink(({ slug }) => heard.push(slug));
    for (let opens = 0; opens < 3; opens++) await client.handleOpen();
    stop();
    await client.handleOpen();
    expect(heard).to.deep.equal(['spring', 'spring']);
    expect(app.codes()).to.deep.equal(['callback_failed', 'callback_failed', 'callback_failed']);
  });

  it('answers calls at the same time one after another', async () => {
    let going = 0;
    const slowly = async () => {
      expect(++going).to.equal(1);
      await new Promise(setImmediate);
      going -= 1;
      return opened();
    };
    server.next('/open', slowly, slowly, slowly);
    const client = app.start();
    await Promise.all(['a', 'b', 'c'].map((name) => client.handleOpen(`https://go.example.com/${name}`)));
    expect(server.to('/open').map(({ body }) => [body.url.at(-1), body.first_open])).to.deep.equal([
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
  });

  it('is told of without the fields that are refused', async () => {
    const fields = [
      { path: 'app_version', message: 'Too long.' },
      { path: 'screen.width', message: 'Too wide.' },
    ];
    server.next('/open', refusal(422, 'validation_failed', fields), opened(LINK));
    const client = app.start({ appVersion: 'x'.repeat(100), screen: { width: 1e9, height: 1 } });
    expect((await client.handleOpen()).link?.id).to.equal(LINK.id);
    expect(server.to('/open')[1]?.body).not.to.have.any.keys('app_version', 'screen');
    expect(app.codes()).to.deep.equal(['validation_failed']);
  });

  it('that is refused for good keeps no events back, and is told of again by the next start', async () => {
    const storage = new Shelf();
    const client = app.start({ storage });
    server.next('/open', refusal(404, 'not_found'));
    await client.handleOpen();
    await client.track('a');
    await client.flush();
    await client.flush();
    expect([server.to('/open').length, server.names, app.codes()]).to.deep.equal([1, ['a'], ['not_found']]);
    await app.start({ storage }).handleOpen();
    expect(firstOpens()).to.deep.equal([true, true]);
  });

  it('is not told of any more with a key that was refused, and the app hears of it once', async () => {
    server.next('/open', refusal(401, 'invalid_key'));
    const client = app.start();
    const whys = [await client.handleOpen(), await client.handleOpen()].map(({ match }) => match.factors[0]?.name);
    await client.track('late');
    await timers.advance(600);
    expect(whys).to.deep.equal(['invalid_key', 'invalid_key']);
    expect([app.codes(), server.asked.length]).to.deep.equal([['invalid_key'], 1]);
    expect(app.errors[0]).to.include({ status: 401, requestId: 'req_1', message: 'Refused: invalid_key.' });
  });
});
