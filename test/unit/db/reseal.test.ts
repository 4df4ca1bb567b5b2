// stores: each
import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { sqlTime } from '../../../src/db/jsonRows.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { reseal, SEALED_COLUMNS, sealFor, unsealFor } from '../../../src/db/sealedColumns.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { openSecrets } from '../../../src/kernel/secrets.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `the ${name} key, of enough characters`);

describe('stored secrets', () => {
  let store: OpenStore;

  before(async () => {
    store = await openStore({ SECRET_KEY: FIRST ?? '' });
    await firstStart({ ownerEmail: 'owner@example.com', ownerPassword: 'a password of this test' });
  });
  after(() => store.close());

  const keys = (secretKey: string | undefined, ...secretKeyPrevious: (string | undefined)[]) =>
    openSecrets({
      secretKey: secretKey ?? '',
      secretKeyPrevious: secretKeyPrevious as string[],
      dataDir: store.dataDir,
    });
  const run = <Row extends object>(sql: string, ...values: unknown[]) =>
    inTransaction((transaction) => queryRaw<Row>(sql, values, transaction));
  const insertMail = async (content: (id: string) => string) => {
    const id = newId('mail');
    await run(
      `INSERT INTO mails (id, kind, reference, address, content, status, created_at, updated_at)
       VALUES ($1, 'test', $1, 'a@example.com', $2, 'waiting', $3, $3)`,
      ...[id, content(id), sqlTime(Date.now())],
    );
    return id;
  };
  const contentOf = async (id: string) =>
    (await run<{ content: string }>('SELECT content FROM mails WHERE id = $1', id))[0]?.content ?? '';
  /** As they were sealed before places were authenticated. */
  const sealedOfOld = (plain: string) => {
    const key = Buffer.from(hkdfSync('sha256', FIRST ?? '', 'svc', 'stored secrets', 32));
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8);
    return `v1.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
  };

  it('are read in their own row and column alone', () => {
    const sealed = sealFor('mailContent', ['mail_1'], 'hush');
    expect(unsealFor('mailContent', ['mail_1'], sealed)).to.equal('hush');
    expect(() => unsealFor('mailContent', ['mail_2'], sealed)).to.throw();
    expect(() => unsealFor('webhookSecrets', ['mail_1'], sealed)).to.throw();
    expect(() => unsealFor('mailContent', ['mail_1'], `${sealed.slice(0, -4)}AAAA`)).to.throw();
    expect(() => unsealFor('mailContent', ['mail_1'], sealed.replace('v2.', 'v1.')), 'downgraded').to.throw();
  });

  it('are in columns that there are', async () => {
    for (const { table, column, key, where } of Object.values(SEALED_COLUMNS)) {
      await run(`SELECT ${[...key, column].join(', ')} FROM ${table} ${where ? `WHERE ${where}` : ''} LIMIT 1`);
    }
  });

  it('survive two changes of the key, and the former keys once they were sealed anew', async () => {
    const texts = Array.from({ length: 450 }, (_, at) => `secret ${at}`);
    const ids: string[] = [];
    for (const text of texts) ids.push(await insertMail((id) => sealFor('mailContent', [id], text)));
    ids.push(await insertMail(() => sealedOfOld('from before')));
    const read = async () => Promise.all(ids.map(async (id) => unsealFor('mailContent', [id], await contentOf(id))));

    await keys(SECOND, FIRST);
    expect(await read()).to.deep.equal([...texts, 'from before']);
    const middle = await insertMail((id) => sealFor('mailContent', [id], 'between'));
    await keys(THIRD, SECOND, FIRST);
    const mails = (results: Awaited<ReturnType<typeof reseal>>) => results.find(({ table }) => table === 'mails');
    expect(mails(await reseal())).to.deep.equal({ table: 'mails', resealed: 452, upToDate: 0, unreadable: 0 });
    expect(mails(await reseal())).to.deep.equal({ table: 'mails', resealed: 0, upToDate: 452, unreadable: 0 });
    await keys(THIRD);
    expect(await read()).to.deep.equal([...texts, 'from before']);
    expect(unsealFor('mailContent', [middle], await contentOf(middle))).to.equal('between');
    expect(
      () => unsealFor('mailContent', [middle], sealedOfOld('moved here')),
      'a value of a key that is gone',
    ).to.throw(/SECRET_KEY_PREVIOUS/);
  });

  it('that cannot be read are counted, and stay as they are', async () => {
    const id = await insertMail((mailId) => sealFor('mailContent', [mailId], 'of the third'));
    const before = await contentOf(id);
    await keys(FIRST);
    const [unreadable] = (await reseal()).filter(({ table }) => table === 'mails');
    expect(unreadable?.unreadable).to.be.above(0);
    expect(await contentOf(id)).to.equal(before);
    await keys(THIRD);
  });

  it('take a list of former keys, one of which may hold a comma', () => {
    const previous = (text: string) => loadConfig({ SECRET_KEY_PREVIOUS: text }).secretKeyPrevious;
    expect(previous('one')).to.deep.equal(['one']);
    expect(previous('one, two')).to.deep.equal(['one, two', 'one', 'two']);
    loadConfig({ LOG_LEVEL: 'silent' });
  });
});
