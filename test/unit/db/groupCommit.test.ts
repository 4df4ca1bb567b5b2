// stores: each
import { expect } from 'chai';
import { database } from '../../../src/db/connection/database.ts';
import { groupCommit } from '../../../src/db/groupCommit.ts';
import { withJsonRows } from '../../../src/db/jsonRows.ts';
import { query } from '../../../src/db/query.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { runUnitOfWork } from '../../../src/db/unitOfWork.ts';
import { CodedError } from '../../../src/kernel/errors.ts';
import { openStore } from '../../support/store.ts';

describe('group commit', () => {
  let close: () => Promise<void>;
  let batches: string[][];

  before(async () => {
    ({ close } = await openStore());
    await inTransaction((transaction) => database().query('CREATE TABLE noted (name TEXT)', { transaction }));
  });
  beforeEach(async () => {
    batches = [];
    await inTransaction((transaction) => database().query('DELETE FROM noted', { transaction }));
  });
  after(() => close());

  const note = groupCommit(async (names: string[], transaction: Transaction) => {
    batches.push(names);
    if (names.includes('poison')) throw new Error('poison');
    const good = names.filter((name) => name !== 'refused');
    await withJsonRows(
      { name: 'text' },
      good.map((name) => [name]),
      'INSERT INTO noted (name) SELECT name FROM given',
      transaction,
    );
    return names.map((name) => (name === 'refused' ? new CodedError('conflict', 'No.') : { name }));
  });

  const noted = async () =>
    (await query<{ name: string }>('SELECT name FROM noted ORDER BY name')).map(({ name }) => name);

  const outcomes = async (calls: Promise<{ name: string }>[]) =>
    (await Promise.allSettled(calls)).map((call) =>
      call.status === 'fulfilled' ? call.value.name : (call.reason as Error).message,
    );

  it('writes what comes at the same time in one transaction, and refuses one without the others', async () => {
    expect(await outcomes(['a', 'b', 'refused', 'c', 'd'].map(note))).to.deep.equal(['a', 'b', 'No.', 'c', 'd']);
    expect(await noted()).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(batches).to.have.length.below(5);
  });

  it('writes each alone when one breaks the transaction', async () => {
    expect(await outcomes(['a', 'b', 'poison', 'c'].map(note))).to.deep.equal(['a', 'b', 'poison', 'c']);
    expect(await noted()).to.deep.equal(['a', 'b', 'c']);
  });

  it('commits with all scopes that share a transaction; one that fails is undone alone', async () => {
    const kept: string[] = [];
    const held = (name: string) =>
      runUnitOfWork(
        () => note(name),
        async () => {
          if (name === 'failing') throw new Error('failing');
          kept.push(name);
        },
      );
    const calls = [note('a'), held('b'), held('failing'), held('refused'), held('c'), note('d')];
    expect(await outcomes(calls)).to.deep.equal(['a', 'b', 'failing', 'No.', 'c', 'd']);
    expect(await noted()).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(kept).to.include.members(['b', 'c']);
  });

  it('commits what was written alone with its scope', async () => {
    const held = (name: string) =>
      runUnitOfWork(
        () => note(name),
        async () => {
          if (name === 'failing') throw new Error('failing');
        },
      );
    const calls = [note('first'), held('b'), held('failing'), held('poison'), note('c')];
    expect(await outcomes(calls)).to.deep.equal(['first', 'b', 'failing', 'poison', 'c']);
    expect(await noted()).to.deep.equal(['b', 'c', 'first']);
  });

  it('goes on after that', async () => {
    expect(await outcomes([note('e')])).to.deep.equal(['e']);
  });
});
