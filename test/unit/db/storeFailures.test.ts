// stores: none
import { expect } from 'chai';
import pg from 'pg';
import { failureOf, isStoreDown } from '../../../src/db/storeFailures.ts';

describe('a connection of pg that is used after its end', () => {
  it('means that the store is away, whether it was closed or broke', async () => {
    const closed = new pg.Client();
    await closed.end();
    const error = await closed.query('SELECT 1').catch((reason: Error) => reason);
    expect(error).to.be.an('error').with.property('message', 'Client was closed and is not queryable');
    expect(isStoreDown(error)).to.equal(true);
    expect(isStoreDown(new Error('Client has encountered a connection error and is not queryable'))).to.equal(true);
  });
});

describe('failureOf', () => {
  const error = (code: string, severity = 'ERROR') => Object.assign(new Error('of a test'), { code, severity });

  for (const [kind, codes] of [
    ['away', ['08006', '25006', '25P03', '40003', '53100', '55P03', '57014', '57P01', '58030', 'SQLITE_FULL', 'EPIPE']],
    ['session', ['25001', '25P02']],
    ['conflict', ['40001', '40P01']],
    [null, ['22012', '23505', '42P01', 'XX000', 'ENOENT', 'EPERM', 'SQLITE_CONSTRAINT', 'SQLITE_CORRUPT']],
  ] as const) {
    for (const code of codes) {
      it(`${code} is ${kind ?? 'a bug or a broken rule'}, also as the cause of an error of Sequelize`, () => {
        expect(failureOf(error(code))).to.equal(kind);
        expect(failureOf(Object.assign(new Error('wrapped'), { original: error(code) }))).to.equal(kind);
      });
    }
  }

  it('whatever ends the session is away: nobody knows what became of a COMMIT', () => {
    for (const code of ['XX000', '40001', '25P02']) expect(failureOf(error(code, 'FATAL'))).to.equal('away');
  });
});
