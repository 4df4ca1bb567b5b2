// stores: any
import { expect } from 'chai';
import { purgeAccounts } from '../../../src/accounts/purgeAccounts.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { EmailChange } from '../../../src/models/EmailChange.ts';
import { User } from '../../../src/models/User.ts';
import { emailChanges } from '../../support/emailChanges.ts';
import { graphql } from '../../support/graphql.ts';
import {
  codeOf,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newPerson,
  newSession,
  PASSWORD,
  trySignIn,
  trySignUp,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld } from '../../support/world.ts';

const CANCEL = 'mutation { cancelEmailChange { id email pendingEmail } }';
const ME = '{ me { id email pendingEmail emailConfirmed } }';
const PASSWORDS =
  'mutation ($currentPassword: String!, $password: String!) { changePassword(currentPassword: $currentPassword, password: $password) }';
const DAY = 86_400;

describe('changing an e-mail where mail is sent', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', EMAIL_CONFIRMATIONS_PER_HOUR: '3' });
  afterEach(() => clock.reset());

  const { change, changeBy, confirm, confirmIn, changed, undo, undoing, emailOf, kindsTo } = emailChanges(world);
  const ask = (query: string, variables: Record<string, unknown> = {}) => graphql(world.origin, query, variables);

  it('waits for the link that is mailed to the new one, and leaves the sessions', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    const other = await newSession(world, { email: person.email });
    const asked = await change(person, ` ${email.toUpperCase()} `);
    expect(asked.data.changeEmail).to.deep.equal({
      email: person.email,
      sentTo: email,
      changedAt: null,
      undoUntil: null,
    });
    expect((await person.ask(ME)).data.me).to.include({ email: person.email, pendingEmail: email });
    expect(codeOf(await trySignIn(world, { email }))).to.equal('invalid_credentials');
    const [mail] = await mailsTo(email);
    expect(mail?.kind).to.equal('confirm_email_change');
    expect(mail?.subject).to.equal('Confirm your new email address');
    expect(mail?.text)
      .to.match(/\/app\/change-email#token=[\w-]{43}\n/)
      .and.include(person.email);
    const token = await mailedToken(email, 'confirm_email_change');
    expect(await rowsWith(token)).to.deep.equal({});
    const done = await confirm(token);
    expect(done.data.confirmEmailChange).to.deep.equal({ id: person.userId, email, pendingEmail: null });
    for (const session of [person, other]) expect((await session.ask(ME)).data.me.email).to.equal(email);
    expect(codeOf(await trySignIn(world, { email }))).to.equal(undefined);
    expect(codeOf(await trySignIn(world, { email: person.email }))).to.equal('invalid_credentials');
    for (const used of [token, 'nonsense']) expect(codeOf(await confirm(used)), used).to.equal('invalid_token');
  });

  it('tells the former address what was changed when, with a link that undoes it once', async () => {
    const time = stopClock();
    const [person, email] = [await newPerson(world), newEmail()];
    await changed(person, email);
    const notice = (await mailsTo(person.email)).find(({ kind }) => kind === 'email_changed');
    const at = new Date(time.nowMs).toISOString().slice(0, 16).replace('T', ' ');
    for (const text of [person.email, email, at, '/app/undo-email-change#token=']) {
      expect(notice?.text).to.include(text);
    }
    const token = await undoing(person.email);
    expect(await rowsWith(token)).to.deep.equal({});
    expect((await person.ask(PASSWORDS, { currentPassword: PASSWORD, password: 'of an intruder' })).data).to.deep.equal(
      {
        changePassword: true,
      },
    );
    await change(person, newEmail(), 'of an intruder');
    expect(codeOf(await confirm(token)), 'it confirms nothing').to.equal('invalid_token');
    expect((await undo(token)).data.undoEmailChange).to.equal(true);
    expect(await emailOf(person)).to.equal(person.email);
    expect((await person.ask(ME)).data.me, 'sessions end').to.equal(null);
    expect(await EmailChange.count({ where: { userId: person.userId } })).to.equal(0);
    for (const address of [person.email, email]) {
      expect(await kindsTo(address), address).to.include('email_change_undone');
      expect((await mailsTo(address)).at(-1)?.text)
        .to.include(person.email)
        .and.include(email);
    }
    expect(codeOf(await undo(token)), 'a second time').to.equal('invalid_token');
  });

  it('has its links for a day and for EMAIL_UNDO_DAYS, and reserves the former address as long', async () => {
    const time = stopClock();
    const [person, email] = [await newPerson(world), newEmail()];
    await change(person, email);
    const token = await mailedToken(email, 'confirm_email_change');
    time.move(DAY + 1);
    expect((await newSession(world, { email: person.email })).email).to.equal(person.email);
    expect(codeOf(await confirm(token))).to.equal('invalid_token');
    time.move(-2);
    expect(codeOf(await confirm(token))).to.equal(undefined);
    const undoingToken = await undoing(person.email);
    const stranger = await trySignUp(world, { email: person.email, password: 'of a stranger' });
    expect(codeOf(stranger)).to.equal(undefined);
    expect((await kindsTo(person.email)).at(-1)).to.equal('account_exists');
    time.move(7 * DAY + 1);
    expect(codeOf(await undo(undoingToken))).to.equal('invalid_token');
    await purgeAccounts(1000);
    expect(await EmailChange.count()).to.equal(0);
    const next = await newPerson(world, { email: person.email });
    expect(next.userId).to.not.equal(person.userId);
  });

  it('answers alike for an address that has an account; its owner is told by mail', async () => {
    const [person, other] = [await newPerson(world), await newPerson(world)];
    const former = newEmail();
    await changed(await newPerson(world, { email: former }), newEmail());
    for (const taken of [other.email, former]) {
      const [one, two] = [await change(person, taken), await change(person, newEmail())];
      const shape = ({ status, data }: typeof one) => ({ status, fields: { ...data.changeEmail, sentTo: '' } });
      expect(shape(one)).to.deep.equal(shape(two));
      await change(person, taken);
      expect((await person.ask(ME)).data.me.pendingEmail).to.equal(taken);
      expect((await kindsTo(taken)).at(-1)).to.equal('email_in_use');
      const { text } = (await mailsTo(taken)).at(-1) ?? { text: '' };
      expect(text).to.not.include(person.email).and.not.include('#token');
      expect(codeOf(await change(person, taken)), 'three mails an hour, with that of the sign-up').to.equal(
        'rate_limited',
      );
    }
    expect((await other.ask(ME)).data.me.email).to.equal(other.email);
  });

  it('is refused for the own address, a wrong password, an unconfirmed account and what is no address', async () => {
    const person = await newPerson(world);
    expect(codeOf(await change(person, person.email))).to.equal('validation_failed');
    expect(codeOf(await change(person, newEmail(), 'wrong'))).to.equal('invalid_credentials');
    expect(codeOf(await changeBy(undefined, newEmail()))).to.equal('not_signed_in');
    const { cookie } = await trySignUp(world, {});
    const reply = await changeBy(cookie, newEmail());
    expect(codeOf(reply)).to.equal('email_unconfirmed');
    const hostile = [
      'x',
      'a@b',
      'a b@example.com',
      '<b>@example.com',
      'a@example.com\r\nBcc: b@example.com',
      'ä@example.com',
    ];
    for (const email of hostile) expect(codeOf(await change(person, email)), email).to.equal('validation_failed');
    expect(await EmailChange.count({ where: { userId: person.userId } })).to.equal(0);
  });

  it('writes an address with signs of HTML into mails as it is', async () => {
    const person = await newPerson(world);
    const email = `o'hara&amp+${newEmail()}`;
    await changed(person, email);
    const notice = (await mailsTo(person.email)).at(-1);
    expect(notice?.text).to.include(`New address: ${email}`);
    expect(notice?.html).to.include('o&#39;hara&amp;amp+').and.not.include(email);
  });

  it('is asked for ten times an hour by one account', async () => {
    const person = await newPerson(world);
    for (let time = 0; time < 10; time += 1) expect(codeOf(await change(person, newEmail()))).to.equal(undefined);
    expect(codeOf(await change(person, newEmail()))).to.equal('rate_limited');
  });

  it('is withdrawn or replaced while it waits', async () => {
    const person = await newPerson(world);
    const [first, second] = [newEmail(), newEmail()];
    await change(person, first);
    await change(person, second);
    expect((await person.ask(ME)).data.me.pendingEmail).to.equal(second);
    expect(codeOf(await confirm(await mailedToken(first, 'confirm_email_change')))).to.equal('invalid_token');
    const { data } = await person.ask(CANCEL);
    expect(data.cancelEmailChange).to.deep.equal({ id: person.userId, email: person.email, pendingEmail: null });
    expect(codeOf(await person.ask(CANCEL)), 'safe to repeat').to.equal(undefined);
    expect(codeOf(await confirm(await mailedToken(second, 'confirm_email_change')))).to.equal('invalid_token');
  });

  it('goes back by each link to the address before its own change, which voids the later ones', async () => {
    const person = await newPerson(world);
    const [b, c] = [newEmail(), newEmail()];
    const time = stopClock();
    await changed(person, b);
    time.move(60);
    await changed(person, c);
    const [first, second] = [await undoing(person.email), await undoing(b)];
    await undo(second);
    expect(await emailOf(person)).to.equal(b);
    time.move(60);
    const again = await newSession(world, { email: b });
    await changed(again, c);
    const third = await undoing(b);
    expect(third).to.not.equal(second);
    await undo(first);
    expect(await emailOf(person)).to.equal(person.email);
    expect(codeOf(await undo(third)), 'void').to.equal('invalid_token');
    expect(codeOf(await trySignUp(world, { email: b }))).to.equal(undefined);
    expect(await kindsTo(b), 'b is free').to.include('confirm_email');
  });

  it('lets the person take the former address back by themselves', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    await changed(person, email);
    expect(codeOf((await changed(person, person.email)).reply)).to.equal(undefined);
    expect(await emailOf(person)).to.equal(person.email);
  });

  it('gives an address that two accounts wait for to one of them, and tells the other', async () => {
    const [one, two, email] = [await newPerson(world), await newPerson(world), newEmail()];
    await change(one, email);
    await change(two, email);
    const tokens = (await mailsTo(email)).map(({ text }) => /#token=([\w-]+)/.exec(text)?.[1] ?? '');
    const codes = (await Promise.all(tokens.map((token) => confirm(token)))).map(codeOf);
    expect(codes).to.have.members([undefined, 'conflict']);
    expect(await User.count({ where: { email } })).to.equal(1);
  });

  it('of two calls with one token makes the change once, and undoes it once', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    await change(person, email);
    const token = await mailedToken(email, 'confirm_email_change');
    const codes = (await Promise.all([confirm(token), confirm(token)])).map(codeOf);
    expect(codes).to.have.members([undefined, 'invalid_token']);
    const undoingToken = await undoing(person.email);
    const undone = (await Promise.all([undo(undoingToken), undo(undoingToken)])).map(codeOf);
    expect(undone).to.have.members([undefined, 'invalid_token']);
  });

  it('keeps a sign-up from being confirmed with an address that is reserved by now', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    await trySignUp(world, { email });
    const token = await mailedToken(email, 'confirm_email');
    await changed(person, email);
    await changed(person, newEmail());
    const query = 'mutation ($input: ConfirmEmailInput!) { confirmEmail(input: $input) }';
    expect(codeOf(await ask(query, { input: { token, password: PASSWORD } }))).to.equal('conflict');
  });

  it('is not made by somebody who only reads the mailbox: a stranger may have had the link sent to them', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    await change(person, email);
    const token = await mailedToken(email, 'confirm_email_change');
    const reader = await newPerson(world);
    expect(codeOf(await confirm(token, null))).to.equal('invalid_credentials');
    expect(codeOf(await confirm(token, 'of the reader'))).to.equal('invalid_credentials');
    expect(codeOf(await confirmIn(reader, token)), 'signed in to another account').to.equal('invalid_credentials');
    expect(await emailOf(person)).to.equal(person.email);
    expect(codeOf(await confirmIn(person, token)), 'in their own session').to.equal(undefined);
  });
});
