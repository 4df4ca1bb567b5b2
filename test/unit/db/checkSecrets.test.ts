// stores: each
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { checkSecrets } from '../../../src/db/checkSecrets.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { sealFor } from '../../../src/db/sealedColumns.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { KeyFileMissing, openSecrets, SealedWithAnotherKey } from '../../../src/kernel/secrets.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const [RIGHT, WRONG] = ['the right key, of enough characters', 'the wrong key, of enough characters'];

describe('the key of stored secrets, at a start', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore({ SECRET_KEY: RIGHT });
  });
  after(() => store.close());

  const start = async (secretKey: string | null, ...secretKeyPrevious: string[]) => {
    await openSecrets({ secretKey, secretKeyPrevious, dataDir: store.dataDir });
    return checkSecrets().then(
      () => 'started',
      (error: unknown) => error,
    );
  };
  const file = () => path.join(store.dataDir, 'secret.key');

  it('is made for a store without secrets, for its owner alone, and stays', async () => {
    expect(await start(null)).to.equal('started');
    const made = readFileSync(file(), 'utf8');
    expect(made.trim()).to.have.length.greaterThan(40);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(await start(null)).to.equal('started');
    expect(readFileSync(file(), 'utf8')).to.equal(made);
  });

  it('is never made for a store whose secrets need the one that is gone', async () => {
    rmSync(file());
    await start(RIGHT);
    await firstStart({ ownerEmail: 'owner@example.com', ownerPassword: 'a password of this test' });
    for (let tries = 0; tries < 2; tries += 1) {
      const error = await start(null);
      expect(error).to.be.instanceOf(KeyFileMissing);
      expect((error as Error).message).to.match(/secret\.key is missing.*first_account\.sealed.*SECRET_KEY/);
      expect(existsSync(file()), 'a key was made').to.equal(false);
    }
  });

  it('is refused when it fits none of them, also as a file, and taken as a previous one', async () => {
    expect(await start(WRONG)).to.be.instanceOf(SealedWithAnotherKey);
    expect(await start(RIGHT)).to.equal('started');
    expect(await start(WRONG, RIGHT)).to.equal('started');
  });

  it('is taken when it fits some: a change was left half done', async () => {
    await start(WRONG, RIGHT);
    const now = sqlTime(Date.now());
    await inTransaction((transaction) =>
      queryRaw(
        `INSERT INTO mails (id, kind, reference, address, content, status, created_at, updated_at)
         VALUES ('mail_1', 'test', 'mail_1', 'a@example.com', $1, 'waiting', $2, $2)`,
        [sealFor('mailContent', ['mail_1'], 'hush'), now],
        transaction,
      ),
    );
    expect(await start(WRONG)).to.equal('started');
    expect(await start(RIGHT)).to.equal('started');
    expect(await start(`${WRONG} too`)).to.be.instanceOf(SealedWithAnotherKey);
  });
});
