// stores: postgres
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { foldLinkCounts } from '../../../src/clicks/linkCountStore.ts';
import { forgetJournal, lostBefore, markMissing, recordReport } from '../../../src/clicks/lost/journalStore.ts';
import { leaseShare, readLeft, settleShares, takeOverShares } from '../../../src/clicks/shareStore.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { makeClick, makeLink, makeProject } from '../../support/clicks.ts';
import { stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

const MINUTE = 60;

describe('shares of click limits in the store', () => {
  let store: OpenStore;
  let projectId: string;

  before(async function () {
    // SQLite has one process.
    if (STORE !== 'postgres') return this.skip();
    store = await openStore();
    projectId = (await makeProject()).id;
  });
  afterEach(() => clock.reset());
  after(() => store?.close());

  const lease = (linkId: string, holder: string, needed = 1, base: number | null = null) =>
    leaseShare({ linkId, holder, needed, base, lostBefore: lostBefore() });
  const report = (name: string) => recordReport({ name, host: 'host', folder: '/', bytes: 0, oldestMs: null });
  const shareOf = async (linkId: string, holder: string) =>
    (
      await queryRaw<{ share: number }>('SELECT share FROM click_shares WHERE link_id = $1 AND holder = $2', [
        linkId,
        holder,
      ])
    )[0]?.share;
  const clicksOn = (linkId: string, count: number) =>
    Array.from({ length: count }, () => makeClick({ projectId, linkId }));

  it('are never more than the limit, however many ask at once', async () => {
    const { id } = await makeLink(projectId, { clickLimit: 20 });
    const leases = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => lease(id, holder, 7)));
    const granted = leases.map((found) => found.granted).sort();
    expect(granted).to.deep.equal([0, 6, 7, 7]);
    expect((await readLeft(id, 'a')).left).to.equal(0);
  });

  it('become counted clicks in the transaction that stores these, each once', async () => {
    const { id } = await makeLink(projectId, { clickLimit: 20 });
    await lease(id, 'a', 10);
    const clicks = clicksOn(id, 4);
    const drained = { listening: () => false, journal: 'a' };
    await storeClicks(clicks, drained);
    expect(await shareOf(id, 'a')).to.equal(6);
    await storeClicks(clicks, drained);
    expect(await shareOf(id, 'a')).to.equal(6);
    expect((await readLeft(id, 'b')).left).to.equal(10);
    await foldLinkCounts();
    expect((await readLeft(id, 'b')).left).to.equal(10);
    expect((await lease(id, 'b', 11)).granted).to.equal(10);
  });

  it('are what the journal holds after a kill, under whatever name the process comes back', async () => {
    const { id } = await makeLink(projectId, { clickLimit: 20 });
    await lease(id, 'before', 10);
    expect(await takeOverShares('after', 'before')).to.deep.equal([id]);
    expect([...(await settleShares('after', [[id, 3]]))]).to.deep.equal([id]);
    expect((await readLeft(id, 'b')).left).to.equal(17);
    expect([...(await settleShares('after', [[id, 0]]))]).to.deep.equal([]);
    expect(await shareOf(id, 'after')).to.equal(undefined);
  });

  it('are free after their lease if the journal was moved, or its process is lost', async () => {
    const time = stopClock();
    const { id } = await makeLink(projectId, { clickLimit: 20 });
    for (const holder of ['silent', 'moved', 'b']) {
      await report(holder);
      if (holder !== 'b') await lease(id, holder, 10);
    }
    await inTransaction((transaction) => forgetJournal('moved', transaction));
    expect((await lease(id, 'b', 11)).granted, 'of the one that was moved').to.equal(10);
    time.move(6 * MINUTE);
    await markMissing([]);
    expect((await lease(id, 'c')).granted, 'its journal may have clicks').to.equal(0);
    time.move(10 * MINUTE);
    await report('b');
    expect((await lease(id, 'c', 20)).granted, 'of the lost one').to.equal(10);
    expect([...(await settleShares('silent', [[id, 10]]))], 'it has none any more').to.deep.equal([]);
  });

  it('of a limit that is lowered or taken away', async () => {
    const { id } = await makeLink(projectId, { clickLimit: 20 });
    await lease(id, 'a', 10);
    await queryRaw('UPDATE links SET click_limit = 5 WHERE id = $1', [id]);
    expect(await lease(id, 'b')).to.include({ granted: 0, left: 0, others: 10 });
    await queryRaw('UPDATE links SET click_limit = NULL WHERE id = $1', [id]);
    expect((await lease(id, 'b', 3)).granted).to.equal(3);
    expect(await lease('lnk_none', 'b')).to.include({ granted: 0, left: 0 });
  });
});
