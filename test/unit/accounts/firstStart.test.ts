// stores: each
import { expect } from 'chai';
import {
  type FirstAccount,
  firstStart,
  forgetFirstAccount,
  updateUnseenPassword,
} from '../../../src/accounts/firstStart.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { Team } from '../../../src/models/Team.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('the first start', () => {
  let store: OpenStore;
  let account: FirstAccount | null;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  it('makes one account, however many processes start, and gives it to all of them', async () => {
    const accounts = await Promise.all([firstStart(config), firstStart(config), firstStart(config)]);
    account = accounts[0] ?? null;
    expect(account?.secretKey).to.match(/^sk_live_/);
    for (const other of accounts) expect(other).to.deep.equal(account);
    expect(await Team.count()).to.equal(1);
  });

  it('gives it again as long as nobody has seen it: the process may have ended before', async () => {
    expect(await firstStart(config)).to.deep.equal(account);
  });

  it('keeps it sealed', async () => {
    const [row] = await queryRaw<{ sealed: string }>('SELECT sealed FROM first_account', []);
    expect(row?.sealed).to.match(/^v2\./);
  });

  it('gives the password that the operator has set meanwhile', async () => {
    await inTransaction((transaction) => updateUnseenPassword('another one', transaction));
    expect(await firstStart(config)).to.deep.equal({ ...account, password: 'another one' });
  });

  it('gives it no more when it has been seen', async () => {
    await forgetFirstAccount();
    expect(await firstStart(config)).to.equal(null);
    await inTransaction((transaction) => updateUnseenPassword('a third one', transaction));
    expect(await firstStart(config)).to.equal(null);
  });
});
