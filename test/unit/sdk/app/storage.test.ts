// stores: any
import { expect } from 'chai';
import { init, type SvcError, type SvcStorage } from '../../../../sdk/app/index.ts';
import { LINK, opened } from './AppServer.ts';
import { KEY, Shelf, UUID, useApp } from './useApp.ts';

/** A storage of which some calls do as `fault` does. */
function faulty(calls: (keyof SvcStorage)[], fault: () => never | Promise<never>): Shelf {
  const shelf = new Shelf();
  for (const call of calls) shelf[call] = fault;
  return shelf;
}

const throws = () => {
  throw new Error('QuotaExceededError');
};
const rejects = () => Promise.reject(new Error('Disk full'));

const FAULTS: Record<string, () => SvcStorage> = {
  'throws at everything': () => faulty(['getItem', 'setItem', 'removeItem'], throws),
  'rejects everything': () => faulty(['getItem', 'setItem', 'removeItem'], rejects),
  'is full': () => faulty(['setItem'], throws),
  'forgets nothing': () => faulty(['removeItem'], rejects),
  'only pretends to remove': () => faulty(['removeItem'], () => undefined as never),
  'only pretends to write after a while': () => {
    const shelf = new Shelf();
    shelf.setItem = (key, value) => {
      if (shelf.items.size < 3) shelf.items.set(key, value);
    };
    return shelf;
  },
  'gives what nobody put there': () => {
    const shelf = new Shelf();
    for (const key of ['install_id', 'queue', 'open'])
      shelf.items.set(`svc.${key}`, '{"id":1}\n{"id":"x",\nnull\n"\u0000');
    return shelf;
  },
  'gives no text': () => ({ ...new Shelf(), getItem: () => ({}) as string, setItem() {}, removeItem() {} }),
};

describe('a storage that', () => {
  const app = useApp();
  const { server, timers } = app;

  for (const [fault, storageOf] of Object.entries(FAULTS)) {
    it(`${fault} keeps nobody from opening, and no event from being sent once`, async () => {
      server.next('/open', opened(LINK));
      const client = app.start({ storage: storageOf() });
      expect((await client.handleOpen()).link?.slug).to.equal('spring');
      await client.handleOpen();
      expect(server.to('/open').map(({ body }) => body.first_open)).to.deep.equal([true, false]);
      for (const name of ['a', 'b']) await client.track(name);
      await client.flush();
      await client.track('c');
      await client.flush();
      expect(server.names.filter((name) => name)).to.deep.equal(['a', 'b', 'c']);
      expect(new Set(server.asked.map(({ body }) => body.install_id))).to.have.property('size', 1);
      expect(await client.installId()).to.match(UUID);
      await client.reset();
      expect(app.codes().filter((code) => code !== 'storage_failed')).to.deep.equal([]);
      expect(app.codes().length).to.be.at.most(1);
    });
  }

  it('does not answer holds up a start for seconds, not for ever', async () => {
    const client = app.start({ storage: faulty(['getItem'], () => new Promise<never>(() => {})) });
    const answer = client.handleOpen();
    for (let reads = 0; reads < 3; reads++) await timers.advance(5);
    await answer;
    expect(app.codes()).to.deep.equal(['storage_failed']);
  });

  it('cannot be read for a while loses nothing that it holds', async () => {
    const storage = new Shelf();
    const first = app.start({ storage });
    await first.handleOpen();
    await first.track('a');
    first.close();
    const held = new Map(storage.items);
    storage.getItem = throws;
    const second = app.start({ storage });
    await second.track('b');
    await second.flush();
    expect(server.names).to.deep.equal(['b']);
    expect(storage.items).to.deep.equal(held);
  });

  it('is shared by clients of different names keeps them apart', async () => {
    const storage = new Shelf();
    const [one, two] = [app.start({ storage, name: 'one' }), app.start({ storage, name: 'two' })];
    expect(await one.installId()).not.to.equal(await two.installId());
    await one.track('a');
    await two.flush();
    expect(server.names).to.deep.equal([]);
  });
});

describe('without a storage', () => {
  const app = useApp();
  const { server } = app;
  const globals = globalThis as { localStorage?: unknown };
  const own = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  const provide = (get: () => unknown) => Object.defineProperty(globals, 'localStorage', { get, configurable: true });
  afterEach(() => {
    if (own) Object.defineProperty(globals, 'localStorage', own);
    else delete globals.localStorage;
  });
  const startApp = (errors: SvcError[] = []) =>
    init({ url: server.origin, key: KEY, onError: (error) => errors.push(error) });

  it('the localStorage of the host is taken', async () => {
    const shelf = new Shelf();
    provide(() => shelf);
    const [one, two] = [startApp(), startApp()];
    expect(await one.installId()).to.equal(await two.installId());
    expect(shelf.items.get('svc.install_id')).to.equal(await one.installId());
    one.close();
    two.close();
  });

  it('and with one that may not be looked at, memory is', async () => {
    provide(() => throws());
    const errors: SvcError[] = [];
    const client = startApp(errors);
    await client.handleOpen();
    await client.handleOpen();
    expect(server.to('/open').map(({ body }) => body.first_open)).to.deep.equal([true, false]);
    expect(errors).to.deep.equal([]);
    client.close();
  });
});
