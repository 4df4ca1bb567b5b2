// stores: any
import { expect } from 'chai';
import { useApp } from './useApp.ts';

/** A page, as far as the SDK looks: events come to the document and to the window. */
class Page extends EventTarget {
  visibilityState = 'visible';
}

describe('a page', () => {
  const app = useApp();
  const { server, timers } = app;
  let page: Page;
  let windowEvents: EventTarget;

  beforeEach(() => {
    page = new Page();
    windowEvents = new EventTarget();
    Object.assign(globalThis, {
      document: page,
      addEventListener: windowEvents.addEventListener.bind(windowEvents),
      removeEventListener: windowEvents.removeEventListener.bind(windowEvents),
    });
  });
  afterEach(() => {
    for (const name of ['document', 'addEventListener', 'removeEventListener'])
      delete (globalThis as Record<string, unknown>)[name];
  });

  const HAPPENS: Record<string, () => unknown> = {
    'is hidden': () => {
      page.visibilityState = 'hidden';
      return page.dispatchEvent(new Event('visibilitychange'));
    },
    'is left': () => windowEvents.dispatchEvent(new Event('pagehide')),
    'is online again': () => windowEvents.dispatchEvent(new Event('online')),
  };

  for (const [what, happens] of Object.entries(HAPPENS)) {
    it(`that ${what} sends what waits, at once and once`, async () => {
      const client = app.start();
      await client.installId();
      void client.track('a');
      happens();
      await server.request('/event');
      await client.flush();
      expect(server.names).to.deep.equal(['a']);
      client.close();
      await client.track('b');
      happens();
      await client.flush();
      expect(server.names).to.deep.equal(['a']);
    });
  }

  it('that is seen again, or has nothing to tell, sends nothing', async () => {
    const client = app.start();
    HAPPENS['is left']?.();
    await client.track('a');
    page.dispatchEvent(new Event('visibilitychange'));
    await new Promise(setImmediate);
    expect(server.asked).to.deep.equal([]);
  });

  it('takes turns with other tabs at sending, by Web Locks', async function () {
    // Node 22 has none to put into the page.
    if (!('locks' in navigator)) return this.skip();
    let going = 0;
    const slowly = async () => {
      going += 1;
      await new Promise(setImmediate);
      const together = going--;
      return together === 1 ? { status: 202, body: { accepted: 1, duplicates: 0 } } : { status: 500 };
    };
    server.next('/event', slowly, slowly, slowly);
    // What they share is not to be seen from one of them.
    const tabs = [app.start(), app.start(), app.start()];
    await Promise.all(tabs.map((tab, at) => tab.track(`tab${at}`)));
    await Promise.all(tabs.map((tab) => tab.flush()));
    expect(server.names.sort()).to.deep.equal(['tab0', 'tab1', 'tab2']);
    expect([going, timers.waits]).to.deep.equal([0, []]);
  });

  it('keeps the queue where it may not send now', async () => {
    const client = app.start();
    server.next('/event', { status: 503, headers: { 'Retry-After': '60' } });
    await client.track('a');
    await client.flush();
    HAPPENS['is left']?.();
    await new Promise(setImmediate);
    expect(server.names).to.deep.equal(['a']);
  });
});
