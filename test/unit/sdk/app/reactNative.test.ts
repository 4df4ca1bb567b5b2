// stores: any
import vm from 'node:vm';
import { expect } from 'chai';
import type { init } from '../../../../sdk/app/index.ts';
import { AppServer, LINK, opened } from './AppServer.ts';
import { bundle } from './bundle.ts';
import { KEY, SlowShelf, UUID } from './useApp.ts';

/** React Native on Hermes, as far as it goes: what Node has beyond it is not there. */
function reactNative(code: string): { init: typeof init } {
  const context = vm.createContext({
    fetch,
    AbortController,
    setTimeout,
    clearTimeout,
    navigator: { product: 'ReactNative' },
  });
  vm.runInContext(`'use strict';${code};globalThis.svc = svc;`, context);
  const missing = ['localStorage', 'document', 'crypto', 'structuredClone', 'TextEncoder', 'URL', 'process', 'Buffer'];
  expect(missing.filter((name) => vm.runInContext(`typeof ${name}`, context) !== 'undefined')).to.deep.equal([]);
  return context.svc;
}

describe('the app SDK in React Native', () => {
  const server = new AppServer();
  let code: string;
  before(async () => {
    await server.start();
    ({ code } = await bundle('iife'));
  });
  beforeEach(() => server.forget());
  after(() => server.stop());

  it('opens, finds the link, tracks and remembers over a restart', async () => {
    const storage = new SlowShelf();
    const errors: unknown[] = [];
    const options = { url: server.origin, key: KEY, storage, onError: (error: unknown) => errors.push(error) };
    const about = { platform: 'android', osVersion: '16', deviceModel: 'Pixel 9', appVersion: '1.4.0' } as const;
    server.next('/open', opened(LINK));

    const first = reactNative(code).init({ ...options, ...about });
    const { link } = await first.handleOpen(null, { installReferrer: 'svc_click=1.a.b.c' });
    expect(link?.data).to.deep.equal(LINK.data);
    expect((await server.request('/open')).body).to.deep.include({
      first_open: true,
      platform: 'android',
      install_referrer: 'svc_click=1.a.b.c',
      timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    server.next('/event', { status: 503 });
    await first.track('purchase', { value: 1 });
    await first.flush();
    first.close();

    const second = reactNative(code).init({ ...options, ...about });
    await second.handleOpen('myapp://p/42');
    await second.flush();
    second.close();
    const opens = server.to('/open').map(({ body }) => body);
    expect(opens[0].install_id).to.match(UUID);
    expect([opens[1].first_open, opens[1].install_id]).to.deep.equal([false, opens[0].install_id]);
    expect(server.names).to.deep.equal(['purchase', 'purchase']);
    expect(errors).to.deep.equal([]);
    expect(storage.items.has('svc.queue')).to.equal(false);
  });

  it('throws errors of its own class', async () => {
    const { init, SvcError } = reactNative(code) as unknown as typeof import('../../../../sdk/app/index.ts');
    const client = init({ url: server.origin, key: KEY, platform: 'ios' });
    server.next('/resolve', 'cut');
    const error = await client.resolve('https://go.example.com/x').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SvcError);
    client.close();
  });
});
