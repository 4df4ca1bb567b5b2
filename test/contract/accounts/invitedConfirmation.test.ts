// stores: any
import { expect } from 'chai';
import { graphql } from '../../support/graphql.ts';
import {
  codeOf,
  confirmEmail,
  done,
  invite,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  resetPassword,
  type SignedIn,
  signUp,
  teamOf,
  theOwner,
  tokenIn,
  trySignIn,
  trySignUp,
} from '../../support/people.ts';
import { useOwnWorld, useSettings } from '../../support/world.ts';

const ME = '{ me { id email emailConfirmed } }';
const CREATE_TEAM = 'mutation { createTeam(name: "X") { id } }';
const NEXT = 'a quite different password';

describe('an account that is opened by an invitation where mail is sent', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', EMAIL_CONFIRMATIONS_PER_HOUR: '3' });
  const ask = (query: string, variables: Record<string, unknown> = {}, cookie?: string) =>
    graphql(world.origin, query, variables, cookie);
  const confirm = async (email: string) => confirmEmail(world, { token: await mailedToken(email, 'confirm_email') });
  const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind);
  let owner: SignedIn & { teamId: string };
  before(async () => {
    owner = await theOwner(world);
  });

  it('is confirmed by the link out of the mail', async () => {
    const email = newEmail();
    await invite(owner, { teamId: owner.teamId, email });
    const { cookie } = await signUp(world, email, { invitationToken: await mailedToken(email, 'invitation') });
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
    const up = await signUp(world, email, { invitationToken: shown });
    expect((await ask(ME, {}, up.cookie)).data.me.emailConfirmed).to.equal(false);
    expect(codeOf(await ask('{ teams { data { id } } }', {}, up.cookie))).to.equal('email_unconfirmed');
    const { cookie } = await trySignIn(world, { email });
    await confirm(email);
    const { data } = await ask('{ teams { data { id } } }', {}, cookie);
    expect(data.teams.data).to.deep.equal([{ id: owner.teamId }]);
  });

  it('that is void when the e-mail is confirmed gets a team of its own where anybody may have one', async () => {
    const email = newEmail();
    const { url, id } = (await invite(owner, { teamId: owner.teamId, email })).data.createInvitation;
    const { cookie } = await signUp(world, email, { invitationToken: tokenIn(url) });
    await owner.ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id });
    expect(codeOf(await confirm(email))).to.equal(undefined);
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
      cookie = (await signUp(world, email, { invitationToken: tokenIn(url) })).cookie;
      const deletion = 'mutation ($id: ID!, $password: String!) { deleteTeam(id: $id, password: $password) { id } }';
      expect(codeOf(await owner.ask(deletion, { id: teamId, password: world.password }))).to.equal(undefined);
    });
    const teamsOf = async (of: string) => (await ask('{ teams { data { id } } }', {}, of)).data.teams.data;

    it('is confirmed, with a team of its own', async () => {
      expect(codeOf(await confirm(email))).to.equal(undefined);
      expect(await teamsOf(cookie)).to.have.length(1);
    });

    it('is confirmed by a new password too', async () => {
      await done(resetPassword(world, email, NEXT));
      const reply = await trySignIn(world, { email, password: NEXT });
      expect(await teamsOf(reply.cookie as string)).to.have.length(1);
    });

    describe('where people need an invitation', () => {
      useSettings({ signUp: 'invitation' });

      it('is confirmed, without a team', async () => {
        expect(codeOf(await confirm(email))).to.equal(undefined);
        expect(await teamsOf(cookie)).to.deep.equal([]);
      });
    });
  });
});
