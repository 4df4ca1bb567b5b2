// stores: none
import { expect } from 'chai';
import { isAccountPassword } from '../../../src/accounts/accountPasswords.ts';
import type { CodedError } from '../../../src/kernel/errors.ts';
import { RequestOutcome, withOutcome } from '../../../src/kernel/requestOutcome.ts';
import { hashLinkPasswords, refuseManyPasswords, type WhenBusy } from '../../../src/links/linkPasswords.ts';

const inputs = (...passwords: string[]) => passwords.map((password) => ({ input: { password } }));
const hash = (teamId: string, passwords: string[], whenBusy: WhenBusy = 'refuse') =>
  hashLinkPasswords(teamId, inputs(...passwords), whenBusy);
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'hashed',
    (error: CodedError) => error.code,
  );

describe('hashing passwords of links', () => {
  it('is refused for more than 20 different ones in a call, by their places', () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ password: `password ${at % 20}` }));
    expect(() => refuseManyPasswords([...rows, { password: null }, {}])).to.not.throw();
    try {
      refuseManyPasswords([...rows, { password: 'one more' }, { password: 'password 1' }, { password: 'another' }]);
      expect.fail('was taken');
    } catch (error) {
      const { code, fields } = error as CodedError;
      expect(code).to.equal('validation_failed');
      expect(fields?.map(({ path }) => path)).to.deep.equal(['links.50.password', 'links.52.password']);
    }
  });

  it('has a line for each team, and does not hold up who signs in', async () => {
    const order: string[] = [];
    const calls = Array.from({ length: 20 }, (_, at) =>
      hash('team_busy', [`password ${at}`]).then(() => order.push('link')),
    );
    expect(await codeOf(hash('team_busy', ['one more']))).to.equal('rate_limited');
    const ofAnImport = codeOf(hash('team_busy', ['of an import'], 'wait'));
    const other = codeOf(hash('team_other', ['a password']));
    await isAccountPassword(null, 'a password').then(() => order.push('sign-in'));
    expect(order.length).to.be.below(20);
    await Promise.all(calls);
    expect([await other, await ofAnImport]).to.deep.equal(['hashed', 'hashed']);
    expect(await codeOf(hash('team_busy', ['one more']))).to.equal('hashed');
  });

  it('ends with its request, refused or left by its client', async () => {
    for (const end of [(right: RequestOutcome) => right.refuse(), (right: RequestOutcome) => right.abandon()]) {
      const right = new RequestOutcome();
      const asked = withOutcome(right, () => hash('team_gone', ['first', 'second', 'third']));
      end(right);
      expect(await codeOf(asked)).to.equal('unavailable');
    }
  });

  it('hashes the same password once', async () => {
    const [one, two] = (await hash('team_same', ['the same', 'the same'])) as {
      passwordHash: string;
    }[];
    expect(one?.passwordHash)
      .to.match(/^\$argon2id\$/)
      .and.to.equal(two?.passwordHash);
  });
});
