// stores: any
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { recordEvents } from '../../../src/events/recordEvent.ts';
import type { EventRef } from '../../../src/events/tailStore.ts';
import { EventTail } from '../../../src/live/EventTail.ts';
import { sampleEvent } from '../../../src/webhooks/samples.ts';
import { makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const NOTHING = { events: [], skipped: 0, isMore: false };

describe('the tail of events for one reader', () => {
  let store: OpenStore;
  let projectId: string;
  let teamId: string;
  const tails: EventTail[] = [];

  before(async () => {
    store = await openStore();
    ({ id: projectId, teamId } = await makeProject());
  });
  after(() => store.close());
  afterEach(() => {
    for (const tail of tails.splice(0)) tail.destroy();
  });

  const makeTail = (stalledMs?: number) => {
    const tail = new EventTail({ projectId, types: null, linkId: null }, null, stalledMs);
    tails.push(tail.on('error', () => {}));
    return tail;
  };
  const record = async (count: number): Promise<EventRef[]> => {
    const scope = { ...sampleEvent('link.created', { projectId }), teamId, projectId };
    const events = await inTransaction((transaction) =>
      recordEvents(
        transaction,
        Array.from({ length: count }, () => scope),
      ),
    );
    return events.map(({ id, createdAt, type, linkId }) => ({ id, atMs: createdAt.getTime(), type, linkId }));
  };
  const textOf = (tail: Readable) => {
    const read = { text: '' };
    tail.setEncoding('utf8').on('data', (text: string) => {
      read.text += text;
    });
    return read;
  };
  const idsIn = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id);

  it('keeps ids alone for a slow reader, and sends everything once it reads', async () => {
    const tail = makeTail();
    tail.begin(NOTHING);
    const events = await record(2000);
    for (let at = 0; at < events.length; at += 100) {
      tail.onEvents(events.slice(at, at + 100));
      await new Promise(setImmediate);
    }
    await until(() => tail.readableLength > 65_536, 'a full buffer');
    await new Promise((resolve) => setTimeout(resolve, 200));
    // One page above what the buffer takes.
    expect(tail.readableLength).to.be.lessThan(65_536 + 250_000);
    const read = textOf(tail);
    await until(() => idsIn(read.text).length >= 2000, 'all events');
    expect(idsIn(read.text)).to.deep.equal(events.map(({ id }) => id));
    expect(read.text).to.not.include('skipped');
  });

  it('says how many it left out when more ids wait than it keeps, and goes on', async () => {
    const tail = makeTail();
    tail.begin(NOTHING);
    const [first, last] = (await record(2)) as [EventRef, EventRef];
    const gone = Array.from({ length: 50_010 }, (_, at) => ({ ...first, id: `evt_${at}` }));
    tail.onEvents([first, ...gone]);
    const read = textOf(tail);
    const [, count, after] = await until(
      () => /event: skipped\ndata: \{"count":(\d+),"after":"(\w+)"\}/.exec(read.text),
      'the gap',
    );
    expect([Number(count), after]).to.deep.equal([11, 'evt_49998']);
    tail.onEvents([last]);
    await until(() => idsIn(read.text).includes(last.id), 'what comes later');
    expect(idsIn(read.text)).to.deep.equal([first.id, last.id]);
  });

  it('cuts a reader that takes nothing, and no other one', async () => {
    const [stalled, idle] = [makeTail(100), makeTail(100)];
    const events = await record(300);
    for (const tail of [stalled, idle]) tail.begin(NOTHING);
    textOf(idle);
    for (const tail of [stalled, idle]) tail.onEvents(events);
    await until(() => {
      for (const tail of [stalled, idle]) tail.beat();
      return stalled.destroyed;
    }, 'the cut');
    expect(idle.destroyed).to.equal(false);
  });

  it('does not send twice what the feed tells of the backlog, nor counts it as skipped', async () => {
    const events = await record(5);
    const tail = makeTail();
    tail.onEvents(events.slice(2, 4));
    tail.begin({ events: events.slice(0, 3), skipped: 1, isMore: false });
    tail.onEvents(events.slice(1));
    const read = textOf(tail);
    await until(() => idsIn(read.text).length >= 5, 'all five');
    expect(new Set(idsIn(read.text))).to.deep.equal(new Set(events.map(({ id }) => id)));
    expect(read.text).to.not.include('skipped');
  });
});
