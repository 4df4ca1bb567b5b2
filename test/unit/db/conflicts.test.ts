// stores: each
import { expect } from 'chai';
import { maskError } from '../../../schema/execute.ts';
import { MAX_TRIES } from '../../../src/db/conflicts.ts';
import { groupCommit } from '../../../src/db/groupCommit.ts';
import { queryRaw } from '../../../src/db/query.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { isConflict } from '../../../src/db/storeFailures.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { runUnitOfWork } from '../../../src/db/unitOfWork.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

const run = (sql: string, transaction?: Transaction) => queryRaw<{ id: string; n: number }>(sql, [], transaction);
const raise = (code: string, transaction?: Transaction) =>
  run(`DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END $$`, transaction);
const add = (id: string, transaction: Transaction) =>
  run(`UPDATE counted SET n = n + 1 WHERE id = '${id}'`, transaction);

/** Resolves for all when as many have arrived. */
function meeting(size: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    size -= 1;
    if (size <= 0) open();
    return opened;
  };
}

describe('Transactions', () => {
  let close: () => Promise<void>;

  before(async () => {
    ({ close } = await openStore());
    await inTransaction(async (transaction) => {
      await run('CREATE TABLE counted (id TEXT PRIMARY KEY, n INTEGER NOT NULL)', transaction);
      const parent = 'TEXT REFERENCES counted (id) DEFERRABLE INITIALLY DEFERRED';
      await run(`CREATE TABLE parts (id TEXT PRIMARY KEY, counted_id ${parent})`, transaction);
    });
  });
  beforeEach(() =>
    inTransaction(async (transaction) => {
      await run('DELETE FROM parts', transaction);
      await run('DELETE FROM counted', transaction);
      await run("INSERT INTO counted (id, n) VALUES ('a', 0), ('b', 0), ('c', 0)", transaction);
    }),
  );
  after(() => close());

  const counts = async () => (await run('SELECT id, n FROM counted ORDER BY id')).map(({ n }) => n);
  const retried = async () =>
    Number((await registry.getSingleMetricAsString('svc_transaction_retries_total')).match(/ (\d+)$/m)?.[1]);

  it('run no hooks when COMMIT fails, and leave the connection usable', async () => {
    let told = 0;
    const failing = inTransaction(async (transaction) => {
      transaction.afterCommit(() => {
        told += 1;
      });
      await run("INSERT INTO parts (id, counted_id) VALUES ('p', 'missing')", transaction);
    });
    expect(
      await failing.then(
        () => 'committed',
        (error) => error.name,
      ),
    ).to.equal('SequelizeForeignKeyConstraintError');
    await inTransaction(async (transaction) => {
      transaction.afterCommit(() => {
        told += 10;
      });
      await add('a', transaction);
    });
    expect(told).to.equal(10);
    expect(await counts()).to.deep.equal([1, 0, 0]);
  });

  describe('of PostgreSQL', () => {
    before(function () {
      if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED) this.skip();
    });

    /** Adds to two rows in this order. In the first try both callers hold their first row before they want the other. */
    const adding = (order: [string, string], met: () => Promise<void>, patience = '50ms') => {
      let tries = 0;
      return async (transaction: Transaction) => {
        tries += 1;
        await run(`SET LOCAL deadlock_timeout = '${patience}'`, transaction);
        await add(order[0], transaction);
        if (tries === 1) await met();
        await add(order[1], transaction);
        return tries;
      };
    };

    it('run again after a deadlock, and their hooks once', async () => {
      const met = meeting(2);
      const before = await retried();
      let told = 0;
      const tellingAfter = (work: (transaction: Transaction) => Promise<number>) => (transaction: Transaction) => {
        transaction.afterCommit(() => {
          told += 1;
        });
        return work(transaction);
      };
      const tries = await Promise.all([
        inTransaction(tellingAfter(adding(['a', 'b'], met))),
        inTransaction(tellingAfter(adding(['b', 'a'], met))),
      ]);
      // On a busy machine the second try may take the row before the other one wakes up: they meet again.
      const again = tries.reduce((sum, one) => sum + one - 1, 0);
      expect(again).to.be.within(1, 6);
      expect(await counts()).to.deep.equal([2, 2, 0]);
      expect(told).to.equal(2);
      expect(await retried()).to.equal(before + again);
    });

    it('run again after a serialization failure of COMMIT', async () => {
      const met = meeting(2);
      const skewed = (id: string) => {
        let tries = 0;
        return inTransaction(async (transaction) => {
          tries += 1;
          await run('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', transaction);
          const [sum] = await run('SELECT SUM(n) AS n FROM counted', transaction);
          if (Number(sum?.n) === 0) await run(`UPDATE counted SET n = 1 WHERE id = '${id}'`, transaction);
          if (tries === 1) await met();
          return tries;
        });
      };
      const tries = await Promise.all([skewed('a'), skewed('b')]);
      expect(tries.sort()).to.deep.equal([1, 2]);
      expect((await counts()).sort()).to.deep.equal([0, 0, 1]);
    });

    it('run again when the conflict was caught or became another error', async () => {
      for (const rest of [() => {}, () => Promise.reject(new Error('another'))]) {
        let tries = 0;
        await inTransaction(async (transaction) => {
          tries += 1;
          await add('a', transaction);
          if (tries > 1) return;
          await raise('40001', transaction).catch(() => {});
          await rest();
        });
        expect(tries).to.equal(2);
      }
      expect(await counts()).to.deep.equal([2, 0, 0]);
    });

    it('give up with the error of the store, which a request is told as 503', async () => {
      let tries = 0;
      const hopeless = inTransaction(async (transaction) => {
        tries += 1;
        transaction.afterCommit(() => expect.fail('nothing was committed'));
        await raise('40P01', transaction);
      });
      const error = await hopeless.catch((reason) => reason);
      expect(error.original.code).to.equal('40P01');
      expect(tries).to.equal(MAX_TRIES);
      expect(maskError(error, 'req_test').code).to.equal('unavailable');
    });

    it('do not run again after another error, and say when an ignored one undid them', async () => {
      let tries = 0;
      const broken = inTransaction(async (transaction) => {
        tries += 1;
        await add('a', transaction);
        await raise('22023', transaction).catch(() => {});
      });
      const error = await broken.catch((reason) => reason);
      expect(error.message).to.match(/rolled back/);
      expect(isConflict(error)).to.equal(false);
      expect(tries).to.equal(1);
      expect(await counts()).to.deep.equal([0, 0, 0]);
    });

    it('of a unit of work run again as a whole', async () => {
      const met = meeting(2);
      const [first, second] = [adding(['a', 'b'], met), adding(['b', 'a'], met, '1h')];
      const unit = (work: (transaction: Transaction) => Promise<number>) =>
        runUnitOfWork(
          async () => {
            await inTransaction((transaction) => add('c', transaction).then(() => {}));
            return inTransaction(work);
          },
          async () => void (await inTransaction((transaction) => add('a', transaction))),
        );
      // Whoever finds the deadlock is rolled back, and the other one does not look for it.
      const tries = await Promise.all([unit(first), inTransaction(second)]);
      expect(tries[0]).to.be.within(2, 7);
      expect(tries[1]).to.equal(1);
      expect(await counts()).to.deep.equal([3, 2, 1]);
    });

    it('of a group commit run again before its callers are answered', async () => {
      let tries = 0;
      const write = groupCommit(async (ids: string[], transaction: Transaction) => {
        tries += 1;
        for (const id of ids) await add(id, transaction);
        if (tries === 1) await raise('40001', transaction);
        return ids;
      });
      expect(await Promise.all(['a', 'b'].map(write))).to.deep.equal(['a', 'b']);
      expect(await counts()).to.deep.equal([1, 1, 0]);
    });
  });
});
