// stores: any
import { expect } from 'chai';
import pg from 'pg';
import { isStoreDown } from '../../../src/db/storeFailures.ts';

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
