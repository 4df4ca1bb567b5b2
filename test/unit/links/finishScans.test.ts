// stores: any
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { linksByIds, setUpdatedAt } from '../../../src/links/linkStore.ts';
import { claimDueLinks, finishScans } from '../../../src/links/scanDue.ts';
import type { Project } from '../../../src/models/Project.ts';
import { makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const LOCKED_MS = 300;

describe('the end of scans', () => {
  let store: OpenStore;
  let project: Project;
  before(async () => {
    store = await openStore();
    project = await makeProject();
  });
  after(() => store.close());

  it('waits for who changes many links, in the same order, so that neither is ended as a deadlock', async () => {
    for (const slug of ['one', 'two']) await makeLink(project.id, { slug });
    const { links, claim } = await claimDueLinks(10);
    const [first = '', second = ''] = links.map(({ id }) => id).sort();
    // PostgreSQL writes a changed row anew, so the table now has the second before the first.
    await inTransaction((transaction) => setUpdatedAt(first, new Date(), transaction));
    let scans: Promise<void> | undefined;
    const seen = await inTransaction(async (transaction) => {
      await linksByIds(project, [first], { transaction, isLocked: true });
      scans = finishScans([second, first], claim, { passed: true });
      await delay(LOCKED_MS);
      return linksByIds(project, [second], { transaction, isLocked: true });
    });
    await scans;
    expect([...seen.keys()]).to.deep.equal([second]);
    const ended = await linksByIds(project, [first, second]);
    for (const { scannedAt } of ended.values()) expect(scannedAt?.getTime()).to.be.above(Date.now() - 60_000);
  });
});
