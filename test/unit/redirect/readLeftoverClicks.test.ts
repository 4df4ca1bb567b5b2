// stores: any
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { encodeClick } from '../../../src/clicks/click.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { type Journal, openJournal } from '../../../src/clicks/journal.ts';
import { readLeftoverClicks } from '../../../src/redirect/ClickLimits.ts';
import { makeClick, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('clicks that an earlier process left in the journal', () => {
  let store: OpenStore;
  let folder: string;
  let journal: Journal;
  let projectId: string;

  before(async () => {
    store = await openStore();
    projectId = (await makeProject()).id;
  });
  after(() => store.close());
  beforeEach(async () => {
    folder = path.join(store.dataDir, `clicks-${Math.random()}`);
    journal = await openJournal({ folder, maxBytes: 1e8, sync: false });
  });
  afterEach(() => journal.close());

  const append = (clicks: ReturnType<typeof makeClick>[]) =>
    Promise.all(clicks.map((click) => journal.append(encodeClick(click))));
  const read = async (segments: string[]) => {
    const waiting: string[] = [];
    const alreadyStored: string[] = [];
    for await (const piece of readLeftoverClicks(journal, segments)) {
      waiting.push(...piece.waiting.map(({ id }) => id));
      alreadyStored.push(...piece.alreadyStored);
    }
    return { waiting, alreadyStored };
  };
  const ids = (clicks: { id: string }[]) => clicks.map(({ id }) => id);

  it('are split into stored and waiting ones', async () => {
    const clicks = Array.from({ length: 1200 }, () => makeClick({ projectId }));
    await append(clicks);
    const segments = await journal.seal();
    await storeClicks(clicks.slice(0, 700), { listening: () => false });
    expect(await read(segments)).to.deep.equal({
      waiting: ids(clicks.slice(700)),
      alreadyStored: ids(clicks.slice(0, 700)),
    });
  });

  it('are those of people only', async () => {
    const person = makeClick({ projectId });
    await append([makeClick({ projectId, trafficClass: 'bot' }), person]);
    expect((await read(await journal.seal())).waiting).to.deep.equal([person.id]);
  });

  it('leave out what cannot be read', async () => {
    const clicks = [makeClick({ projectId }), makeClick({ projectId })];
    await append(clicks.slice(0, 1));
    await journal.seal();
    await append(clicks.slice(1));
    const segments = await journal.seal();
    await appendFile(path.join(folder, segments[0] as string), 'damaged\n');
    const failing = {
      read: (segment: string) =>
        segment === 'failing'
          ? (async function* () {
              yield [''];
              throw new Error('disk');
            })()
          : journal.read(segment),
    };
    const found: string[] = [];
    for await (const { waiting } of readLeftoverClicks(failing, ['failing', ...segments])) found.push(...ids(waiting));
    expect(found).to.deep.equal(ids(clicks));
  });
});
