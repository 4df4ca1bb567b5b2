// stores: each
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type pg from 'pg';
import { database, dialect } from '../../../src/db/connection/database.ts';
import {
  connectionOf,
  destroySocket,
  liftQueryTimeout,
  modelOfRow,
  onServerError,
  withConnection,
} from '../../../src/db/connection/internals.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { UniqueConstraintError } from '../../../src/db/sequelize.ts';
import { begin, inTransaction } from '../../../src/db/transactions.ts';
import { insideUnitOfWork, runUnitOfWork } from '../../../src/db/unitOfWork.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Project } from '../../../src/models/Project.ts';
import { ROOT } from '../../support/root.ts';
import { firstTenant } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

const FENCE = 'src/db/connection/';
const INSIDES =
  /\b(connectionManager|_previousDataValues|dataValues|useCLS|_invalid|_activeQuery|_txStatus|connectionParameters|_afterCommitHooks|forceCleanup)\b|\.formatError\(|\bdialect\.Query\b/;

/** One test for each inside of Sequelize and pg that src/db/connection relies on. */
describe('insides of Sequelize and pg', () => {
  let world: World;
  let teamId: string;

  before(async () => {
    world = await joinWorld();
    ({ teamId } = await firstTenant(world));
  });
  after(() => world.stop());

  const project = () => {
    const id = newId('prj');
    return { id, teamId, name: id, apps: [], probabilisticMatching: false };
  };
  const onPostgres = (title: string, test: () => Promise<void>) =>
    it(title, async function () {
      if (dialect() !== 'postgres') this.skip();
      await test();
    });
  const pidOf = async (client: pg.Client): Promise<number> =>
    (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;

  it('are used in one folder alone', () => {
    const files = globSync('{app,src,schema,facade,jobs,scripts}/**/*.ts', {
      cwd: ROOT,
      exclude: (name) => name === 'node_modules',
    });
    const users = files.filter(
      (file) => !file.startsWith(FENCE) && INSIDES.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    expect(users, `move what needs these names to ${FENCE}`).to.deep.equal([]);
  });

  it('useCLS: a query that names no transaction runs in that of its unit of work', async () => {
    const row = project();
    await runUnitOfWork(
      async () => {
        await inTransaction((transaction) => Project.create(row, { transaction }));
        expect(await Project.findByPk(row.id), 'Sequelize no longer asks useCLS().get').to.not.equal(null);
        const outside = await insideUnitOfWork(null, () => Project.findByPk(row.id));
        expect(outside, 'a query outside of the unit saw what is not committed').to.equal(null);
      },
      async () => {},
    );
  });

  it('Query#formatError: errors of the driver become those of Sequelize', async () => {
    const row = project();
    await inTransaction((transaction) => Project.create(row, { transaction }));
    const again = begin((transaction) =>
      queryRaw('INSERT INTO projects SELECT * FROM projects WHERE id = $1', [row.id], transaction),
    );
    const error = await again.then(
      () => null,
      (thrown) => thrown,
    );
    expect(error, 'dialect.Query#formatError changed').to.be.instanceOf(UniqueConstraintError);
  });

  it('transaction.connection and .finished: a transaction that has ended lends no connection', async () => {
    const transaction = await inTransaction(async (open) => {
      const { connection } = open as unknown as { connection?: object };
      const used = await withConnection(database(), open, 'x', async (lent) => lent);
      expect(connection, 'transaction.connection is gone').to.be.an('object');
      expect(used).to.equal(connection);
      return open;
    });
    const late = await withConnection(database(), transaction, 'SELECT 1', async () => 'ran').catch(String);
    expect(late, 'transaction.finished is gone').to.match(/has ended \(commit\)/);
  });

  it('getConnection and releaseConnection: the pool gets back what it lends', async () => {
    for (let at = 0; at < 100; at += 1) await withConnection(database(), null, 'x', async () => {});
    const { pool } = database().connectionManager as unknown as { pool: { using: number } };
    if (dialect() === 'postgres') expect(pool.using, 'connections were not released').to.be.lessThan(50);
  });

  it('dataValues and _previousDataValues: a model of a row is like one that Sequelize read', async () => {
    const row = project();
    await inTransaction((transaction) => Project.create(row, { transaction }));
    const read = await Project.findByPk(row.id, { rejectOnEmpty: true });
    const made = modelOfRow(Project, { ...read.get() });
    expect(made.get(), 'dataValues changed').to.deep.equal(read.get());
    expect([made.isNewRecord, made.changed()], '_previousDataValues changed').to.deep.equal([false, false]);
    made.name = `${row.id} anew`;
    expect([made.changed(), made.previous('name')]).to.deep.equal([['name'], row.id]);
    await inTransaction((transaction) => made.save({ transaction }));
    expect(await Project.findByPk(row.id)).to.include({ name: `${row.id} anew` });
  });

  it('the connection manager of SQLite: transactions write, all else only reads', async function () {
    if (dialect() !== 'sqlite') this.skip();
    const write = await queryRaw('UPDATE projects SET name = name WHERE $1 = 1', [1]).then(() => 'written', String);
    expect(write, 'getConnection is no longer asked, or not with a uuid').to.match(/readonly/i);
    await begin((transaction) => queryRaw('UPDATE projects SET name = name WHERE $1 = 1', [1], transaction));
  });

  onPostgres('_activeQuery and pool.destroy: a connection that is still busy is closed, not lent again', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    await withConnection(database(), null, 'x', async (lent) => {
      const client = lent as pg.Client;
      ended = once(client, 'end');
      client.query('SELECT pg_sleep(0.3)').catch(() => {});
    });
    const first = await Promise.race([ended.then(() => 'closed'), new Promise((end) => setTimeout(end, 5000, 'kept'))]);
    expect(first, 'client._activeQuery or pool.destroy changed').to.equal('closed');
  });

  onPostgres('_invalid: a connection that was reset is not lent again', async () => {
    let broken: unknown;
    const reset = withConnection(database(), null, 'x', async (lent) => {
      broken = lent;
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    });
    await reset.catch(() => {});
    for (let at = 0; at < 20; at += 1) {
      const lent = await withConnection(database(), null, 'x', async (client) => client);
      expect(lent, 'the pool no longer looks at _invalid').to.not.equal(broken);
    }
  });

  onPostgres('connection.errorMessage: each error of the server is heard, also one that nobody waits for', async () => {
    const heard = await withConnection(database(), null, 'x', async (lent) => {
      const client = lent as pg.Client;
      const codes: unknown[] = [];
      onServerError(client, ({ code }) => codes.push(code));
      await client.query('SELECT 1 / 0').catch(() => {});
      return codes;
    });
    expect(heard, 'client.connection or its event errorMessage changed').to.deep.equal(['22012']);
  });

  onPostgres(
    '_afterCommitHooks, cleanup, forceCleanup: a connection that is lost at COMMIT is not lent again',
    async () => {
      let lost: unknown;
      let told = false;
      const failed = await inTransaction(async (transaction) => {
        transaction.afterCommit(() => {
          told = true;
        });
        await queryRaw('SELECT 1 AS one', [], transaction);
        lost = connectionOf(transaction);
        destroySocket(lost as pg.Client, new Error('cut'));
      }).then(() => 'committed', String);
      expect(failed).to.match(/cut|terminated|not queryable/i);
      expect(told, 'a hook ran without a commit').to.equal(false);
      for (let at = 0; at < 20; at += 1) {
        const lent = await withConnection(database(), null, 'x', async (client) => client);
        expect(lent).to.not.equal(lost);
      }
    },
  );

  onPostgres('connection.stream: cutting the socket fails the query in flight', async () => {
    const failed = await withConnection(database(), null, 'x', async (lent) => {
      const client = lent as pg.Client;
      await pidOf(client);
      const query = client.query('SELECT pg_sleep(20)').then(() => 'answered', String);
      destroySocket(client, new Error('cut'));
      return query;
    });
    expect(failed, 'client.connection.stream changed').to.match(/cut|terminated/i);
  });

  onPostgres('connectionParameters.query_timeout: pg reads it for each query', async () => {
    await begin(async (transaction) => {
      const { connection } = transaction as unknown as {
        connection: pg.Client & { connectionParameters: { query_timeout: number } };
      };
      const before = connection.connectionParameters.query_timeout;
      connection.connectionParameters.query_timeout = 50;
      const { restore } = await liftQueryTimeout(transaction);
      try {
        await connection.query('SELECT pg_sleep(0.2)');
      } finally {
        await restore();
        expect(connection.connectionParameters.query_timeout).to.equal(50);
        connection.connectionParameters.query_timeout = before;
      }
    });
  });
});
