// stores: any
import { expect } from 'chai';
import { until } from '../../../support/until.ts';
import { refusal } from './AppServer.ts';
import { Shelf, SlowShelf, UUID, useApp } from './useApp.ts';

describe('events', () => {
  const app = useApp();
  const { server, timers } = app;
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`);
  /** What waits in a storage, by name. */
  const waiting = (storage: Shelf) =>
    (storage.items.get('svc.queue') ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).name);

  it('are collected for five seconds and sent with an id and their time', async () => {
    const client = app.start();
    const from = Date.now();
    await client.track('purchase', { value: 39.9, currency: 'EUR', properties: { sku_no: 'a-1' } });
    await client.track('login', { id: 'login-1', occurredAt: new Date('2026-11-01T10:00:00Z') });
    await timers.advance(4.9);
    expect(server.asked).to.deep.equal([]);
    await timers.advance(0.1);
    const { body } = await server.request('/event');
    const [{ id, occurred_at, ...purchase }, login] = body.events;
    expect(id).to.match(UUID);
    expect(Date.parse(occurred_at)).to.be.within(from, Date.now());
    expect(purchase).to.deep.equal({
      name: 'purchase',
      value: 39.9,
      currency: 'EUR',
      properties: { sku_no: 'a-1' },
    });
    expect(login).to.deep.equal({ name: 'login', id: 'login-1', occurred_at: '2026-11-01T10:00:00.000Z' });
    expect(body.install_id).to.equal(await client.installId());
    await client.flush();
    await client.track('logout');
    await timers.advance(5);
    expect((await server.request('/event', 2)).body.events[0].name).to.equal('logout');
  });

  it('are as they were when they happened', async () => {
    const client = app.start();
    const properties = { step: 1 };
    const done = client.track('step', { properties });
    properties.step = 2;
    await done;
    await client.flush();
    expect((await server.request('/event')).body.events[0].properties).to.deep.equal({ step: 1 });
  });

  it('are sent in their order, at most a hundred at a time, each once', async () => {
    const client = app.start();
    const names = numbered(250);
    for (const name of names) void client.track(name);
    await client.flush();
    expect(server.names).to.deep.equal(names);
    expect(server.to('/event').map(({ body }) => body.events.length)).to.deep.equal([100, 100, 50]);
    await client.flush();
    expect(server.to('/event')).to.have.length(3);
  });

  it('are sent in bodies of at most 60 KiB, whatever their script', async () => {
    const client = app.start();
    const properties = { text: 'ЖЖ€漢😀'.repeat(140) };
    for (const name of numbered(40)) void client.track(name, { properties });
    await client.flush();
    expect(server.names).to.deep.equal(numbered(40));
    expect(Math.max(...server.to('/event').map(({ bytes }) => bytes))).to.be.within(56 * 1024, 60 * 1024);
    server.forget();
    for (const name of numbered(400)) void client.track(name, { properties: { text: 'x'.repeat(2000) } });
    await client.flush();
    expect(Math.max(...server.to('/event').map(({ bytes }) => bytes))).to.be.within(57 * 1024, 60 * 1024);
  });

  it('wait in the storage until they are accepted', async () => {
    const storage = new Shelf();
    const client = app.start({ storage });
    await Promise.all([client.track('a'), client.track('b')]);
    expect(waiting(storage)).to.deep.equal(['a', 'b']);
    server.next('/event', async () => {
      expect(waiting(storage)).to.deep.equal(['a', 'b']);
      return { status: 202, body: { accepted: 2, duplicates: 0 } };
    });
    await client.flush();
    expect(server.names).to.deep.equal(['a', 'b']);
    expect(storage.items.has('svc.queue')).to.equal(false);
  });

  it('of an earlier start are sent by the next one, ahead of its own', async () => {
    const storage = new Shelf();
    const first = app.start({ storage });
    await first.track('a');
    first.close();
    await first.track('b');
    await timers.advance(600);
    expect(server.asked).to.deep.equal([]);
    const second = app.start({ storage });
    void second.track('c');
    await timers.advance(5);
    await server.request('/event');
    expect(server.names).to.deep.equal(['a', 'b', 'c']);
  });

  it('beyond maxQueue push out the oldest, and the app hears of it', async () => {
    const storage = new Shelf();
    const client = app.start({ storage, maxQueue: 3 });
    for (const name of numbered(5)) await client.track(name);
    expect(waiting(storage)).to.deep.equal(['e2', 'e3', 'e4']);
    expect(app.codes()).to.deep.equal(['queue_full', 'queue_full']);
    await client.flush();
    expect(server.names).to.deep.equal(['e2', 'e3', 'e4']);
  });

  it('are never more than a megabyte in the storage', async () => {
    const storage = new Shelf();
    const client = app.start({ storage });
    for (const name of numbered(600)) void client.track(name, { properties: { text: 'x'.repeat(2000) } });
    await client.track('last');
    expect(storage.items.get('svc.queue')?.length).to.be.within(900_000, 1_000_000);
    expect(waiting(storage).at(-1)).to.equal('last');
    expect(app.codes()).to.include('queue_full');
  });

  it('that are refused are dropped, told of, and the others sent again', async () => {
    const client = app.start();
    for (const name of ['a', 'b', 'c', 'd']) void client.track(name);
    const fields = [
      { path: 'events.1.name', message: 'Bad.' },
      { path: 'events.3.value', message: 'Bad.' },
      { path: 'events.3.currency', message: 'Bad.' },
    ];
    server.next('/event', refusal(422, 'validation_failed', fields));
    await client.flush();
    expect(server.names).to.deep.equal(['a', 'b', 'c', 'd', 'a', 'c']);
    expect(app.errors.map(({ code, event }) => [code, event?.name])).to.deep.equal([
      ['validation_failed', 'b'],
      ['validation_failed', 'd'],
    ]);
    await client.flush();
    expect(server.to('/event')).to.have.length(2);
  });

  it('of which a few are too much for the server are found by halves', async () => {
    const client = app.start();
    for (const name of numbered(8)) void client.track(name);
    const judge = ({ body }: { body: { events: { name: string }[] } }) =>
      body.events.some(({ name }) => name === 'e5')
        ? refusal(413, 'payload_too_large')
        : { status: 202, body: { accepted: body.events.length, duplicates: 0 } };
    server.next('/event', ...Array.from({ length: 20 }, () => judge));
    await client.flush();
    const accepted = server.to('/event').filter(({ body }) => judge({ body }).status === 202);
    expect(accepted.flatMap(({ body }) => body.events.map(({ name }: { name: string }) => name))).to.deep.equal(
      numbered(8).filter((name) => name !== 'e5'),
    );
    expect(app.errors.map(({ code, event }) => [code, event?.name])).to.deep.equal([['payload_too_large', 'e5']]);
  });

  it('that are no JSON or too large are dropped at once, and nothing is thrown', async () => {
    const client = app.start();
    const round: Record<string, unknown> = {};
    round.self = round;
    await client.track('round', { properties: round });
    await client.track('big', { properties: { count: 1n } });
    await client.track('long', { properties: { text: 'x'.repeat(2038) } });
    await client.track('timeless', { occurredAt: new Date(Number.NaN) });
    expect(app.codes()).to.deep.equal(['invalid_event', 'invalid_event', 'invalid_event']);
    await client.flush();
    expect(server.names).to.deep.equal(['timeless']);
  });

  it('of two clients on one storage are all sent, also while both write and send', async () => {
    const storage = new SlowShelf();
    const [one, two] = [app.start({ storage }), app.start({ storage })];
    expect(await Promise.all([one.installId(), two.installId()])).to.deep.equal([
      await one.installId(),
      await one.installId(),
    ]);
    const names = numbered(60);
    await Promise.all(names.map((name, at) => (at % 2 ? one : two).track(name)));
    expect(waiting(storage).sort()).to.deep.equal([...names].sort());
    await Promise.all([one.flush(), two.flush(), one.track('x'), two.track('y')]);
    await Promise.all([one.flush(), two.flush()]);
    expect(new Set(server.names)).to.deep.equal(new Set([...names, 'x', 'y']));
    await until(() => waiting(storage).length === 0, 'an empty queue');
  });

  it('wait for the answer to a first opening, whose link they carry', async () => {
    const client = app.start();
    server.next('/open', 'cut', 'cut');
    await client.handleOpen();
    await client.track('a');
    await client.flush();
    expect(server.names).to.deep.equal([]);
    await client.flush();
    expect(server.asked.map(({ path }) => path.split('/').at(-1))).to.deep.equal(['open', 'open', 'open', 'event']);
  });

  it('are forgotten by reset, with the install', async () => {
    const storage = new Shelf();
    const client = app.start({ storage });
    await client.handleOpen();
    const before = await client.installId();
    await client.track('a');
    void client.reset();
    await client.handleOpen();
    expect(await client.installId()).not.to.equal(before);
    await client.flush();
    expect(server.to('/open').map(({ body }) => [body.first_open, body.install_id === before])).to.deep.equal([
      [true, true],
      [true, false],
    ]);
    expect([server.names, waiting(storage)]).to.deep.equal([[], []]);
  });
});
