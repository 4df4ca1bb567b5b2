// stores: each
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
  invite,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newPerson,
  PASSWORD,
  type SignedIn,
  teamOf,
  theOwner,
  tokenIn,
  trySignIn,
  trySignUp,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld, useSettings } from '../../support/world.ts';

const CONFIRM = 'mutation ($input: ConfirmEmailInput!) { confirmEmail(input: $input) }';
const RESEND = 'mutation { resendConfirmation }';
const ME = '{ me { id email emailConfirmed secondFactor } }';
const REQUEST = 'mutation ($email: String!) { requestPasswordReset(email: $email) }';
const RESET = 'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
const CREATE_TEAM = 'mutation { createTeam(name: "X") { id } }';
const NEXT = 'a quite different password';

describe('an account opened where mail is sent', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', EMAIL_CONFIRMATIONS_PER_HOUR: '3' });
  afterEach(() => clock.reset());

  const ask = (query: string, variables: Record<string, unknown> = {}, cookie?: string) =>
    graphql(world.origin, query, variables, cookie);
  const confirm = (token: string, password: string | null = PASSWORD, cookie?: string) =>
    ask(CONFIRM, { input: { token, password } }, cookie);
  const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind);
  const signUp = async (email = newEmail(), input: Record<string, unknown> = {}) => {
    const reply = await trySignUp(world, { email, ...input });
    if (!reply.cookie) throw new Error(reply.errors?.[0]?.message);
    return { email, cookie: reply.cookie, reply };
  };

  it('can do nothing but confirm its e-mail, have the mail sent again and sign out', async () => {
    const { email, cookie } = await signUp();
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
    const { email, cookie } = await signUp(newEmail(), { teamName: 'Engines' });
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
    const { email } = await signUp();
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
    const { email } = await signUp();
    const token = await mailedToken(email, 'confirm_email');
    time.move(86_401);
    expect(codeOf(await confirm(token))).to.equal('invalid_token');
    time.move(-2);
    expect(codeOf(await confirm(token))).to.equal(undefined);
  });

  it('is answered alike for an e-mail that has one; its owner is told by mail, and nothing changes for them', async () => {
    const person = await newPerson(world);
    const [taken, free] = [await signUp(person.email), await signUp()];
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
    const [other, another] = [await signUp(person.email, own), await signUp(newEmail(), own)];
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
    for (let time = 0; time < 5; time += 1) await signUp(email);
    expect(await kindsTo(email)).to.have.length(3);
  });

  it('of several that wait for one e-mail the first that is confirmed has it, also of two at once', async () => {
    const email = newEmail();
    await signUp(email, { password: 'the password of one' });
    await signUp(email, { password: 'the password of another' });
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
      const { cookie } = await signUp(email, { password });
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
    it(`is confirmed for who signed up in that browser or knows its password, whatever link is opened (${order})`, async () => {
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
    const { email } = await signUp();
    const [mail] = await mailsTo(email);
    const shown = new Date(time.nowMs).toISOString().slice(0, 16).replace('T', ' ');
    expect(mail?.text).to.include(shown).and.include('Browser');
  });

  it('is taken over by who reads the mailbox, with a new password, and loses its sessions', async () => {
    const { email, cookie } = await signUp(newEmail(), { password: 'of a squatter' });
    await ask(REQUEST, { email });
    const token = await until(() => mailedToken(email, 'password_reset'), 'the mail');
    expect(codeOf(await ask(RESET, { token, password: NEXT }))).to.equal(undefined);
    expect((await ask(ME, {}, cookie)).data.me).to.equal(null);
    const reply = await trySignIn(world, { email, password: NEXT });
    expect((await ask(ME, {}, reply.cookie)).data.me).to.include({ email, emailConfirmed: true });
    expect((await ask('{ teams { data { id } } }', {}, reply.cookie)).data.teams.data).to.have.length(1);
    expect(codeOf(await trySignIn(world, { email, password: 'of a squatter' }))).to.equal('invalid_credentials');
  });

  it('is deleted with its sessions when it is not confirmed within UNCONFIRMED_ACCOUNT_DAYS', async () => {
    const time = stopClock();
    const [{ email, cookie }, person] = [await signUp(), await newPerson(world)];
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

  describe('by an invitation', () => {
    let owner: SignedIn & { teamId: string };
    before(async () => {
      owner = await theOwner(world);
    });

    it('is confirmed by the link out of the mail', async () => {
      const email = newEmail();
      await invite(owner, { teamId: owner.teamId, email });
      const { cookie } = await signUp(email, { invitationToken: await mailedToken(email, 'invitation') });
      expect((await ask(ME, {}, cookie)).data.me).to.include({ email, emailConfirmed: true });
      expect(await kindsTo(email)).to.deep.equal(['invitation']);
      expect(await teamOf({ ask: (query) => ask(query, {}, cookie) } as SignedIn)).to.equal(owner.teamId);
    });

    it('has to be confirmed with the link that the inviter was shown, and joins the team then', async () => {
      const email = newEmail();
      const { url } = (await invite(owner, { teamId: owner.teamId, email })).data.createInvitation;
      const shown = tokenIn(url);
      const forged = `${shown}${'A'.repeat(22)}`;
      expect(codeOf(await trySignUp(world, { email, invitationToken: forged }))).to.equal('invalid_token');
      const up = await signUp(email, { invitationToken: shown });
      expect((await ask(ME, {}, up.cookie)).data.me.emailConfirmed).to.equal(false);
      expect(codeOf(await ask('{ teams { data { id } } }', {}, up.cookie))).to.equal('email_unconfirmed');
      const { cookie } = await trySignIn(world, { email });
      await confirm(await mailedToken(email, 'confirm_email'));
      const { data } = await ask('{ teams { data { id } } }', {}, cookie);
      expect(data.teams.data).to.deep.equal([{ id: owner.teamId }]);
    });

    it('that is void when the e-mail is confirmed gets a team of its own where anybody may have one', async () => {
      const email = newEmail();
      const { url, id } = (await invite(owner, { teamId: owner.teamId, email })).data.createInvitation;
      const { cookie } = await signUp(email, { invitationToken: tokenIn(url) });
      await owner.ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id });
      expect(codeOf(await confirm(await mailedToken(email, 'confirm_email')))).to.equal(undefined);
      const { data } = await ask('{ teams { data { id name } } }', {}, cookie);
      expect(data.teams.data).to.have.length(1);
      expect(data.teams.data[0].id).to.not.equal(owner.teamId);
    });

    describe('to a team that is deleted by then', () => {
      let email: string;
      let cookie: string;
      beforeEach(async () => {
        const teamId = (await owner.ask(CREATE_TEAM)).data.createTeam.id;
        email = newEmail();
        const { url } = (await invite(owner, { teamId, email })).data.createInvitation;
        cookie = (await signUp(email, { invitationToken: tokenIn(url) })).cookie;
        const deletion = 'mutation ($id: ID!, $password: String!) { deleteTeam(id: $id, password: $password) { id } }';
        expect(codeOf(await owner.ask(deletion, { id: teamId, password: world.password }))).to.equal(undefined);
      });
      const teamsOf = async (of: string) => (await ask('{ teams { data { id } } }', {}, of)).data.teams.data;

      it('is confirmed, with a team of its own', async () => {
        expect(codeOf(await confirm(await mailedToken(email, 'confirm_email')))).to.equal(undefined);
        expect(await teamsOf(cookie)).to.have.length(1);
      });

      it('is confirmed by a new password too', async () => {
        await ask(REQUEST, { email });
        const token = await until(() => mailedToken(email, 'password_reset'), 'the mail');
        expect(codeOf(await ask(RESET, { token, password: NEXT }))).to.equal(undefined);
        const reply = await trySignIn(world, { email, password: NEXT });
        expect(await teamsOf(reply.cookie as string)).to.have.length(1);
      });

      describe('where people need an invitation', () => {
        useSettings({ signUp: 'invitation' });

        it('is confirmed, without a team', async () => {
          expect(codeOf(await confirm(await mailedToken(email, 'confirm_email')))).to.equal(undefined);
          expect(await teamsOf(cookie)).to.deep.equal([]);
        });
      });
    });
  });

  it('is the first one, which nobody has to confirm', async () => {
    const owner = await theOwner(world);
    expect((await owner.ask(ME)).data.me.emailConfirmed).to.equal(true);
    expect(await Mail.count({ where: { address: owner.email, kind: 'confirm_email' } })).to.equal(0);
  });
});
