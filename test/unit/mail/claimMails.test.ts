// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { claimMail } from '../../../src/mail/claimMail.ts';
import { queueMails } from '../../../src/mail/mailQueue.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { User } from '../../../src/models/User.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

const SETTINGS = { BASE_URL: 'https://svc.example', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_ALERTS_PER_HOUR: '3' };

describe('claiming mails', () => {
  let store: OpenStore;

  before(async () => {
    store = await openStore(SETTINGS);
    await inTransaction((transaction) =>
      User.bulkCreate(
        ['ann', 'ben'].map((id) => ({ id, email: `${id}@example.com`, passwordHash: '' })),
        { transaction },
      ),
    );
  });
  after(() => store.close());
  afterEach(() => inTransaction((transaction) => Mail.destroy({ where: {}, transaction })));

  const letters = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'password_reset' as const,
      address: 'eve@example.com',
      reference: `letter ${at}`,
    }));
  const alertsOf = (userId: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'alert' as const,
      ...{ userId, address: `${userId}@example.com`, reference: `alert ${at}:${userId}` },
    }));

  /** Claims from four places at once until there is nothing left. */
  const claimAll = async () => {
    const claimed: string[] = [];
    const claimer = async () => {
      for (let mail = await claimMail(); mail; mail = await claimMail()) claimed.push(mail.reference);
    };
    await Promise.all([claimer(), claimer(), claimer(), claimer()]);
    return claimed;
  };

  it('gives each mail to one of several who claim at once, and a person no more alerts than the limit', async () => {
    await inTransaction((transaction) =>
      queueMails(transaction, [...letters(12), ...alertsOf('ann', 6), ...alertsOf('ben', 2)]),
    );
    const claimed = await claimAll();
    expect(new Set(claimed).size).to.equal(claimed.length);
    const of = (part: string) => claimed.filter((reference) => reference.includes(part)).length;
    expect([of('letter'), of(':ann'), of(':ben')]).to.deep.equal([12, 3, 2]);
    expect(await Mail.count({ where: { status: 'held', userId: 'ann' } })).to.equal(3);
  });

  it('does not wait for mails that others are claiming', async function () {
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED) this.skip();
    await inTransaction((transaction) => queueMails(transaction, letters(2)));
    await inTransaction(async (transaction) => {
      const first = await Mail.findOne({ order: ['id'], lock: transaction.LOCK.UPDATE, transaction });
      const mail = await claimMail();
      expect(mail?.id).not.to.equal(first?.id);
      expect(await claimMail()).to.equal(null);
    });
  });
});
