// stores: any
import { expect } from 'chai';
import { purgeAccounts } from '../../../src/accounts/purgeAccounts.ts';
import { purgeDeletedAccounts } from '../../../src/accounts/purgeDeletedAccounts.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { SecondFactorUndo } from '../../../src/models/SecondFactorUndo.ts';
import { User } from '../../../src/models/User.ts';
import { emailChanges } from '../../support/emailChanges.ts';
import { graphql } from '../../support/graphql.ts';
import {
  codeFor,
  codeOf,
  done,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newPerson,
  newSession,
  PASSWORD,
  projectOf,
  resetPassword,
  type SignedIn,
  teamOf,
  trySignIn,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { useOwnWorld } from '../../support/world.ts';

const BEGIN = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret } }';
const CONFIRM = 'mutation ($code: String!) { confirmSecondFactor(code: $code) }';
const DISABLE =
  'mutation ($password: String!, $code: String!) { disableSecondFactor(password: $password, code: $code) }';
const UNDO = 'mutation ($token: String!) { undoSecondFactor(token: $token) }';
const DELETE =
  'mutation ($password: String!, $code: String) { deleteAccount(password: $password, code: $code) { deletionAt } }';
const RESTORE = 'mutation { restoreAccount { id } }';
const ME = '{ me { secondFactor pendingEmail } }';
const NEXT = 'a quite different password';
const DAY = 86_400;

describe('the second factor of an intruder who has the password', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', DELETION_DAYS: '0' });
  let time: StoppedClock;
  let person: SignedIn;
  let thief: SignedIn;

  beforeEach(async () => {
    time = stopClock();
    person = await newPerson(world);
    thief = await newSession(world, { email: person.email });
  });
  const emails = emailChanges(world);
  afterEach(() => clock.reset());

  const undo = (token: string) => graphql(world.origin, UNDO, { token });
  /** Switches a factor on; returns its code of a step that has not been used. */
  const turnOn = async () => {
    const { secret } = (await thief.ask(BEGIN, { password: PASSWORD })).data.beginSecondFactor;
    await done(thief.ask(CONFIRM, { code: codeFor(secret) }));
    return () => {
      time.move(30);
      return codeFor(secret);
    };
  };
  const undoing = (email = person.email) => mailedToken(email, 'second_factor_on');
  const undoEmail = async () => done(emails.undo(await emails.undoing(person.email)));
  const signsIn = async (password = NEXT) => codeOf(await trySignIn(world, { email: person.email, password }));

  it('is undone by the link in the mail about it, once, for EMAIL_UNDO_DAYS; all sessions end and what waits is void', async () => {
    const code = await turnOn();
    const waiting = newEmail();
    await done(emails.change(thief, waiting, PASSWORD, code()));
    const token = await undoing();
    expect(await rowsWith(token)).to.deep.equal({});
    expect(codeOf(await undo('nonsense'))).to.equal('invalid_token');
    expect((await undo(token)).data.undoSecondFactor).to.equal(true);
    expect((await thief.ask('{ me { id } }')).data.me).to.equal(null);
    expect(await User.findByPk(person.userId)).to.include({ totpSecret: null, totpEnabledAt: null });
    const confirmation = await mailedToken(waiting, 'confirm_email_change');
    expect(codeOf(await emails.confirm(confirmation))).to.equal('invalid_token');
    expect(codeOf(await undo(token)), 'a second time').to.equal('invalid_token');
    expect((await mailsTo(person.email)).at(-1)?.kind).to.equal('second_factor_undone');
    const teamId = await teamOf(await newSession(world, { email: person.email }));
    expect(await AuditEntry.count({ where: { teamId, action: 'account.second_factor_undone' } })).to.equal(1);
  });

  it('cannot be undone when the time has passed, and by one of two at once only', async () => {
    await turnOn();
    const token = await undoing();
    time.move(7 * DAY + 1);
    expect(codeOf(await undo(token))).to.equal('invalid_token');
    await purgeAccounts(1000);
    expect(await SecondFactorUndo.count({ where: { userId: person.userId } })).to.equal(0);
    time.move(-7 * DAY - 1);
    const other = await newPerson(world);
    thief = other;
    await turnOn();
    const codes = await Promise.all([undo(await undoing(other.email)), undo(await undoing(other.email))]);
    expect(codes.map(codeOf)).to.have.members([undefined, 'invalid_token']);
  });

  it('is undone with every later one, also where a process with a slower clock set that up', async () => {
    const code = await turnOn();
    const first = await undoing();
    await done(thief.ask(DISABLE, { password: PASSWORD, code: code() }));
    time.move(-300);
    await turnOn();
    const second = await undoing();
    await done(undo(first));
    expect(codeOf(await undo(second))).to.equal('invalid_token');
    expect(await signsIn(PASSWORD)).to.equal(undefined);
  });

  /** What the intruder does and the person undoes, in every order. */
  const REMEDIES = {
    factor: async () => done(undo(await undoing())),
    email: undoEmail,
    password: () => done(resetPassword(world, person.email, NEXT)),
  };
  const orders = <Item>(items: Item[]): Item[][] =>
    items.length < 2
      ? [items]
      : items.flatMap((one) => orders(items.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  for (const order of orders(['factor', 'password'] as const satisfies (keyof typeof REMEDIES)[])) {
    it(`no longer keeps the person out after the remedies ${order.join(', ')}`, async () => {
      await turnOn();
      for (const name of order) await REMEDIES[name]();
      expect(await signsIn()).to.equal(undefined);
    });
  }
  for (const order of orders(['factor', 'email', 'password'] as (keyof typeof REMEDIES)[])) {
    // A link for a new password goes to the address that the account has by then.
    if (order.indexOf('password') < order.indexOf('email')) continue;
    it(`set up before the e-mail was changed gives way to the remedies ${order.join(', ')}`, async () => {
      const code = await turnOn();
      await emails.changed(thief, newEmail(), code());
      for (const name of order) await REMEDIES[name]();
      expect(await signsIn()).to.equal(undefined);
    });
  }

  it('set up after the e-mail was changed goes with the change, and its own link is void', async () => {
    const { email } = await emails.changed(thief);
    time.move(-300);
    await turnOn();
    const token = await undoing(email);
    await undoEmail();
    expect(codeOf(await undo(token))).to.equal('invalid_token');
    await REMEDIES.password();
    expect(await signsIn()).to.equal(undefined);
  });

  it('is undone where they deleted the account too, before it is gone, whatever DELETION_DAYS says', async () => {
    const code = await turnOn();
    await done(thief.ask(DELETE, { password: PASSWORD, code: code() }));
    expect((await mailsTo(person.email)).at(-1)?.text).to.include('Two-factor authentication is on');
    time.move(7 * DAY - 60);
    while (await purgeDeletedAccounts(1000));
    await REMEDIES.factor();
    expect((await mailsTo(person.email)).at(-1)?.text).to.include('you can restore it');
    await REMEDIES.password();
    const session = await newSession(world, { email: person.email, password: NEXT });
    await done(session.ask(RESTORE));
  });
});

describe('where a second factor is on', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', NEW_ACCOUNT_DAYS: '0' });
  afterEach(() => clock.reset());

  type Change = [
    name: string,
    query: (password: string, code: string, ids: { team: string; project: string }) => string,
  ];
  const CHANGES: Change[] = [
    ['the password', (p, code) => `changePassword(currentPassword: "${p}", password: "${NEXT}"${code})`],
    ['the e-mail', (p, code) => `changeEmail(email: "${newEmail()}", password: "${p}"${code}) { email }`],
    ['a project', (p, code, { project }) => `deleteProject(id: "${project}", password: "${p}"${code}) { id }`],
    ['a team', (p, code, { team }) => `deleteTeam(id: "${team}", password: "${p}"${code}) { id }`],
    ['the account', (p, code) => `deleteAccount(password: "${p}"${code}) { deletionAt }`],
  ];
  for (const [name, query] of CHANGES) {
    it(`${name} is changed or deleted with its code or a recovery code only, and not where the password is wrong`, async () => {
      const time = stopClock();
      const person = await newPerson(world);
      const ids = { team: await teamOf(person), project: await projectOf(person) };
      const attempt = async (password: string, code: string | null) => {
        const given = code === null ? '' : `, code: "${code}"`;
        return codeOf(await person.ask(`mutation { ${query(password, given, ids)} }`));
      };
      const { secret } = (await person.ask(BEGIN, { password: PASSWORD })).data.beginSecondFactor;
      const used = codeFor(secret);
      const { data } = await person.ask(CONFIRM, { code: used });
      expect(await attempt(PASSWORD, null)).to.equal('second_factor_required');
      expect(await attempt(PASSWORD, '000000')).to.equal('invalid_credentials');
      expect(await attempt(PASSWORD, used), 'a used code').to.equal('invalid_credentials');
      time.move(30);
      expect(await attempt('wrong', codeFor(secret))).to.equal('invalid_credentials');
      expect((await person.ask(ME)).data.me).to.deep.equal({ secondFactor: true, pendingEmail: null });
      const code = name === 'a team' ? data.confirmSecondFactor[0] : codeFor(secret);
      expect(await attempt(PASSWORD, code)).to.equal(undefined);
    });
  }
});
