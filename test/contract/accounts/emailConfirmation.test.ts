// stores: any
import { expect } from 'chai';
import { purgeAccounts } from '../../../src/accounts/purgeAccounts.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { EmailConfirmation } from '../../../src/models/EmailConfirmation.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { User } from '../../../src/models/User.ts';
import { type GraphqlReply, graphql } from '../../support/graphql.ts';
import {
  codeOf,
  confirmEmail,
  done,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newPerson,
  PASSWORD,
  resetPassword,
  signUp,
  theOwner,
  tokenIn,
  trySignIn,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld } from '../../support/world.ts';

const CREATE_TEAM = 'mutation { createTeam(name: "X") { id } }';
const RESEND = 'mutation { resendConfirmation }';
const ME = '{ me { id email emailConfirmed secondFactor } }';
const NEXT = 'a quite different password';

describe('an account opened where mail is sent', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', EMAIL_CONFIRMATIONS_PER_HOUR: '3' });
  afterEach(() => clock.reset());

  const ask = (query: string, variables: Record<string, unknown> = {}, cookie?: string) =>
    graphql(world.origin, query, variables, cookie);
  const confirm = (token: string, password: string | null = PASSWORD, cookie?: string) =>
    confirmEmail(world, { token, password, ...(cookie === undefined ? {} : { cookie }) });
  const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind);
  it('can do nothing but confirm its e-mail, have the mail sent again and sign out', async () => {
    const { email, cookie } = await signUp(world);
    const me = (await ask(ME, {}, cookie)).data.me;
    expect(me).to.include({ email, emailConfirmed: false });
    const refused = [
      '{ teams { data { id } } }',
      '{ projects { data { id } } }',
      '{ sessions { data { id } } }',
      CREATE_TEAM,
      'mutation { signOutEverywhere }',
      `mutation { changePassword(currentPassword: "${PASSWORD}", password: "${NEXT}") }`,
      `mutation { beginSecondFactor(password: "${PASSWORD}") { secret } }`,
      'mutation { acceptInvitation(token: "x") { id } }',
      '{ team(id: "team_x") { id } }',
      '{ links(projectId: "prj_x") { data { id } } }',
      'mutation { createLink(input: {projectId: "prj_x", destination: "https://www.example.com/"}) { id } }',
    ];
    for (const query of refused) expect(codeOf(await ask(query, {}, cookie)), query).to.equal('email_unconfirmed');
    expect(await Membership.count({ where: { userId: me.id } })).to.equal(0);
    expect((await ask('mutation { signOut }', {}, cookie)).data.signOut).to.equal(true);
    expect((await ask(ME, {}, cookie)).data.me).to.equal(null);
  });

  it('acts once the mailed link was opened, in the session that it has; the link works once', async () => {
    const { email, cookie } = await signUp(world, newEmail(), { teamName: 'Engines' });
    expect(await kindsTo(email)).to.deep.equal(['confirm_email']);
    const token = await mailedToken(email, 'confirm_email');
    expect(await rowsWith(token)).to.deep.equal({});
    expect((await confirm(token)).data.confirmEmail).to.equal(true);
    expect((await ask(ME, {}, cookie)).data.me).to.include({ email, emailConfirmed: true });
    const { data } = await ask('{ teams { data { name } } }', {}, cookie);
    expect(data.teams.data).to.deep.equal([{ name: 'Engines' }]);
    expect(codeOf(await confirm(token)), 'a second time').to.equal('invalid_token');
    expect(codeOf(await confirm('nonsense'))).to.equal('invalid_token');
    expect(codeOf(await ask(RESEND, {}, cookie))).to.equal('conflict');
    expect(codeOf(await trySignIn(world, { email }))).to.equal(undefined);
  });

  it('signs in too, to have the mail sent again; a wrong password is refused as everywhere', async () => {
    const { email } = await signUp(world);
    const { cookie, data } = await trySignIn(world, { email });
    expect(data.signIn.email).to.equal(email);
    expect(codeOf(await ask(CREATE_TEAM, {}, cookie))).to.equal('email_unconfirmed');
    expect(codeOf(await trySignIn(world, { email, password: 'wrong' }))).to.equal('invalid_credentials');
    expect(await kindsTo(email), 'no mail about a new browser').to.deep.equal(['confirm_email']);
    expect((await ask(RESEND, {}, cookie)).data.resendConfirmation).to.equal(true);
    const [first, second] = (await mailsTo(email)).map(({ text }) => tokenIn(text));
    expect(first).to.not.equal(second);
    expect(codeOf(await ask(RESEND, {}, cookie))).to.equal(undefined);
    expect(codeOf(await ask(RESEND, {}, cookie)), 'three mails an hour').to.equal('rate_limited');
    expect(codeOf(await confirm(first as string)), 'links of former mails are good').to.equal(undefined);
  });

  it('has its link for EMAIL_CONFIRMATION_SECONDS', async () => {
    const time = stopClock();
    const { email } = await signUp(world);
    const token = await mailedToken(email, 'confirm_email');
    time.move(86_401);
    expect(codeOf(await confirm(token))).to.equal('invalid_token');
    time.move(-2);
    expect(codeOf(await confirm(token))).to.equal(undefined);
  });

  it('is answered alike for an e-mail that has one; its owner is told by mail, and nothing changes for them', async () => {
    const person = await newPerson(world);
    const [taken, free] = [await signUp(world, person.email), await signUp(world)];
    const shape = ({ reply }: { reply: GraphqlReply }) => ({
      status: reply.status,
      fields: Object.keys(reply.data.signUp),
      cookies: reply.setCookie?.replace(/=[^;]+/g, '='),
    });
    expect(shape(taken)).to.deep.equal(shape(free));
    const meOf = async ({ cookie }: { cookie: string }) => (await ask(ME, {}, cookie)).data.me;
    expect(await meOf(taken)).to.include({ email: person.email, emailConfirmed: false });
    for (const { cookie } of [taken, free]) {
      expect(codeOf(await ask(CREATE_TEAM, {}, cookie))).to.equal('email_unconfirmed');
      expect(codeOf(await ask(RESEND, {}, cookie))).to.equal(undefined);
    }
    const own = { password: 'the password of a stranger' };
    const [other, another] = [await signUp(world, person.email, own), await signUp(world, newEmail(), own)];
    for (const { email } of [other, another]) {
      const reply = await trySignIn(world, { email, ...own });
      expect(codeOf(reply)).to.equal(undefined);
      expect(codeOf(await ask(CREATE_TEAM, {}, reply.cookie))).to.equal('email_unconfirmed');
    }
    expect(new Set(await kindsTo(person.email))).to.deep.equal(new Set(['account_exists']));
    for (const { text } of await mailsTo(person.email)) expect(tokenIn(text)).to.equal('');
    expect((await person.ask(ME)).data.me.id).to.equal(person.userId);
    expect(codeOf(await trySignIn(world, { email: person.email }))).to.equal(undefined);
    expect(await User.count({ where: { email: person.email } })).to.equal(1);
  });

  it('gets three mails an hour at most, whoever signs up how often', async () => {
    const email = newEmail();
    for (let time = 0; time < 5; time += 1) await signUp(world, email);
    expect(await kindsTo(email)).to.have.length(3);
  });

  it('of several that wait for one e-mail the first that is confirmed has it, also of two at once', async () => {
    const email = newEmail();
    await signUp(world, email, { password: 'the password of one' });
    await signUp(world, email, { password: 'the password of another' });
    const tokens = (await mailsTo(email)).map(({ text }) => tokenIn(text));
    const passwords = ['the password of one', 'the password of another'];
    const both = tokens.map((token, index) => confirm(token, passwords[index]));
    const codes = (await Promise.all(both)).map(codeOf);
    expect(codes).to.have.members([undefined, 'conflict']);
    expect(await User.count({ where: { email } })).to.equal(1);
  });

  /** The victim and somebody who signed up with her address, the earlier one first. */
  const squat = async (order: readonly ('victim' | 'attacker')[]) => {
    const email = newEmail();
    const people: Record<string, { cookie: string; token: string; password: string }> = {};
    for (const name of order) {
      const password = `the password of the ${name}`;
      const { cookie } = await signUp(world, email, { password });
      people[name] = { cookie, token: await mailedToken(email, 'confirm_email'), password };
    }
    const { victim, attacker } = people as Record<'victim' | 'attacker', (typeof people)[string]>;
    const isConfirmed = async ({ cookie }: { cookie: string }) => (await ask(ME, {}, cookie)).data.me.emailConfirmed;
    return { email, victim, attacker, isConfirmed };
  };
  for (const order of [
    ['attacker', 'victim'],
    ['victim', 'attacker'],
  ] as const) {
    it(`is confirmed for the person who signed up in that browser or knows its password, whatever link is opened (${order})`, async () => {
      const { email, victim, attacker, isConfirmed } = await squat(order);
      for (const { token } of [attacker, victim]) {
        expect(codeOf(await confirm(token, null))).to.equal('invalid_credentials');
      }
      expect(codeOf(await confirm(attacker.token, victim.password))).to.equal('invalid_credentials');
      expect(await isConfirmed(attacker)).to.equal(false);
      expect(codeOf(await confirm(attacker.token, null, victim.cookie)), 'in her browser').to.equal(undefined);
      expect(await isConfirmed(victim)).to.equal(true);
      expect(await isConfirmed(attacker)).to.equal(false);
      expect(codeOf(await confirm(attacker.token, null, attacker.cookie)), 'it was used').to.equal('invalid_token');
      expect(codeOf(await trySignIn(world, { email, password: victim.password }))).to.equal(undefined);
    });
  }

  it('is confirmed once when both links are opened at once in one browser', async () => {
    const { victim, attacker, isConfirmed } = await squat(['attacker', 'victim']);
    const both = [attacker, victim].map(({ token }) => confirm(token, null, victim.cookie));
    const codes = (await Promise.all(both)).map(codeOf);
    expect(codes).to.include(undefined);
    expect([await isConfirmed(victim), await isConfirmed(attacker)]).to.deep.equal([true, false]);
  });

  it('is told by its mail when and with which browser it was opened', async () => {
    const time = stopClock();
    const { email } = await signUp(world);
    const [mail] = await mailsTo(email);
    const shown = new Date(time.nowMs).toISOString().slice(0, 16).replace('T', ' ');
    expect(mail?.text).to.include(shown).and.include('Browser');
  });

  it('is taken over by the person who reads the mailbox, with a new password, and loses its sessions', async () => {
    const { email, cookie } = await signUp(world, newEmail(), { password: 'of a squatter' });
    await done(resetPassword(world, email, NEXT));
    expect((await ask(ME, {}, cookie)).data.me).to.equal(null);
    const reply = await trySignIn(world, { email, password: NEXT });
    expect((await ask(ME, {}, reply.cookie)).data.me).to.include({ email, emailConfirmed: true });
    expect((await ask('{ teams { data { id } } }', {}, reply.cookie)).data.teams.data).to.have.length(1);
    expect(codeOf(await trySignIn(world, { email, password: 'of a squatter' }))).to.equal('invalid_credentials');
  });

  it('is deleted with its sessions when it is not confirmed within UNCONFIRMED_ACCOUNT_DAYS', async () => {
    const time = stopClock();
    const [{ email, cookie }, person] = [await signUp(world), await newPerson(world)];
    time.move(7 * 86_400 - 60);
    await purgeAccounts(1000);
    expect((await ask(ME, {}, cookie)).data.me).to.include({ email });
    time.move(120);
    await purgeAccounts(1000);
    expect((await ask(ME, {}, cookie)).data.me).to.equal(null);
    expect(await User.count({ where: { pendingEmail: email } })).to.equal(0);
    expect((await person.ask(ME)).data.me).to.include({ email: person.email });
    expect(await EmailConfirmation.count()).to.equal(0);
  });

  it('is the first one, which nobody has to confirm', async () => {
    const owner = await theOwner(world);
    expect((await owner.ask(ME)).data.me.emailConfirmed).to.equal(true);
    expect(await Mail.count({ where: { address: owner.email, kind: 'confirm_email' } })).to.equal(0);
  });
});
