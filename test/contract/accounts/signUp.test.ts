// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { graphql } from '../../support/graphql.ts';
import {
  codeOf,
  invite,
  MANY_PEOPLE,
  newEmail,
  newPerson,
  newSession,
  PASSWORD,
  teamOf,
  theOwner,
  tokenIn,
  trySignUp,
} from '../../support/people.ts';
import { startWorld, useOwnWorld, type World } from '../../support/world.ts';

/** Where mail is sent an account waits for its e-mail: see emailConfirmation.test.ts. */
const WITHOUT_MAIL = { SMTP_URL: '' };
const CREATE_TEAM = 'mutation ($name: String!) { createTeam(name: $name) { id name status } }';

describe('signUp', () => {
  describe('where it is open, as on this very machine', () => {
    const world = useOwnWorld({ ...MANY_PEOPLE, ...WITHOUT_MAIL, NEW_ACCOUNT_LINKS_PER_HOUR: '1', OWNED_TEAMS: '3' });
    afterEach(() => clock.reset());

    it('makes an account with a team and a project of its own, and signs it in', async () => {
      const reply = await trySignUp(world, { email: ' Ada@Example.COM ', teamName: ' Engines ' });
      expect(reply.data.signUp).to.deep.include({
        email: 'ada@example.com',
        secondFactor: false,
        recoveryCodesLeft: 0,
      });
      expect(reply.setCookie)
        .to.match(/^session=[\w-]{40,};/)
        .and.match(/httponly/i);
      const { data } = await graphql(
        world.origin,
        '{ me { email } teams { data { id name } } projects { data { id name teamId } } }',
        {},
        reply.cookie,
      );
      expect(data.me.email).to.equal('ada@example.com');
      expect(data.teams.data.map(({ name }: { name: string }) => name)).to.deep.equal(['Engines']);
      const [project, ...more] = data.projects.data;
      expect(project).to.include({ name: 'My project', teamId: data.teams.data[0].id });
      expect(more).to.deep.equal([]);
      const keys = await graphql(
        world.origin,
        'query ($id: ID!) { keys(projectId: $id) { data { id } } }',
        { id: project.id },
        reply.cookie,
      );
      expect(keys.data.keys.data).to.deep.equal([]);
      const members = await graphql(
        world.origin,
        'query ($id: ID!) { members(teamId: $id) { data { email role } } }',
        { id: data.teams.data[0].id },
        reply.cookie,
      );
      expect(members.data.members.data).to.deep.equal([{ email: 'ada@example.com', role: 'owner' }]);
    });

    it('counts its team as a new account', async () => {
      const { ask } = await newPerson(world);
      const { data } = await ask('{ projects { data { id } } }');
      const input = { projectId: data.projects.data[0].id, destination: 'https://www.example.com/' };
      const create = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';
      expect(codeOf(await ask(create, { input }))).to.equal(undefined);
      expect(codeOf(await ask(create, { input }))).to.equal('account_limit_reached');
    });

    it('lets the password be used to sign in, however the keyboard writes é', async () => {
      const { email } = await newPerson(world, { password: 'caf\u00e9 au lait' });
      expect((await newSession(world, { email, password: 'cafe\u0301 au lait' })).email).to.equal(email);
    });

    it('refuses an e-mail that has an account, also for two at once', async () => {
      const email = newEmail();
      const replies = await Promise.all([
        trySignUp(world, { email }),
        trySignUp(world, { email: email.toUpperCase() }),
      ]);
      expect(replies.map(codeOf)).to.have.members([undefined, 'conflict']);
      const again = await trySignUp(world, { email });
      expect(codeOf(again)).to.equal('conflict');
      expect(again.errors?.[0]?.message).to.include('Sign in');
      expect(again.setCookie).to.equal(null);
      expect(await User.count({ where: { email } })).to.equal(1);
    });

    it('refuses what is no e-mail', async () => {
      const none = ['ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com', 'ada@exa_mple.com', 'ada@@x.com'];
      const header = ['ada@example.com\r\nBcc: x@example.com', 'ada@example.com,x@example.com', '<ada@example.com>'];
      for (const email of [...none, ...header, `${'a'.repeat(65)}@example.com`]) {
        expect(codeOf(await trySignUp(world, { email })), email).to.equal('validation_failed');
      }
    });

    it('refuses passwords that are short, common or the e-mail, naming the field', async () => {
      const email = newEmail();
      for (const password of ['seven77', 'password', 'Password123', '12345678', email, email.split('@')[0]]) {
        const { errors } = await trySignUp(world, { email, password });
        const [error] = errors ?? [];
        expect(error?.extensions.code, password).to.equal('validation_failed');
        expect(error?.extensions.fields).to.have.nested.property('[0].path', 'input.password');
      }
      expect(codeOf(await trySignUp(world, { email, password: 'x'.repeat(1001) }))).to.equal('validation_failed');
      expect(codeOf(await trySignUp(world, { email, password: 'x'.repeat(1000) }))).to.equal(undefined);
    });

    it('refuses a team name beside an invitation, and tokens that are none', async () => {
      const both = await trySignUp(world, { teamName: 'Mine', invitationToken: 'x' });
      expect(codeOf(both)).to.equal('validation_failed');
      expect(codeOf(await trySignUp(world, { invitationToken: 'x' }))).to.equal('invalid_token');
    });

    it('lets people make more teams of their own, up to OWNED_TEAMS, with limits of their own', async () => {
      const { ask } = await newPerson(world);
      expect((await ask(CREATE_TEAM, { name: ' Second ' })).data.createTeam).to.include({ name: 'Second' });
      const replies = await Promise.all([ask(CREATE_TEAM, { name: 'Third' }), ask(CREATE_TEAM, { name: 'Fourth' })]);
      expect(replies.map(codeOf)).to.have.members([undefined, 'account_limit_reached']);
      expect((await ask('{ teams { data { id } } }')).data.teams.data).to.have.length(3);
      const second = await Team.findOne({ where: { name: 'Second' }, rejectOnEmpty: true });
      expect(second.hasNoLimits).to.equal(false);
      expect(codeOf(await graphql(world.origin, CREATE_TEAM, { name: 'Nobody' }))).to.equal('not_signed_in');
    });
  });

  describe('from one address', () => {
    const world = useOwnWorld({ SIGN_UPS_PER_HOUR: '3' });

    it('is refused after SIGN_UPS_PER_HOUR, whatever came of them', async () => {
      const email = newEmail();
      const codes = [];
      for (const input of [{ email }, { email }, {}, {}]) codes.push(codeOf(await trySignUp(world, input)));
      expect(codes).to.deep.equal([undefined, 'conflict', undefined, 'rate_limited']);
    });
  });

  const CLOSED: [settings: Record<string, string>, policy: string, message: RegExp][] = [
    [{ SIGN_UP: 'invitation' }, 'invitation', /invite you/],
    [{ SIGN_UP: 'closed' }, 'closed', /operator of this installation/],
  ];
  for (const [settings, policy, message] of CLOSED) {
    describe(`with ${JSON.stringify(settings)}`, () => {
      let world: World;
      before(async () => {
        world = await startWorld({ ...MANY_PEOPLE, ...WITHOUT_MAIL, ...settings });
      });
      after(() => world.stop());

      it(`is ${policy}: refused in words that say how to get in, whether there is an account or not`, async () => {
        const { data } = await graphql(world.origin, '{ service { signUp } }');
        expect(data.service.signUp).to.equal(policy);
        for (const email of [newEmail(), world.email]) {
          const reply = await trySignUp(world, { email });
          expect(codeOf(reply)).to.equal('sign_up_closed');
          expect(reply.errors?.[0]?.message).to.match(message);
        }
        expect(await User.count()).to.equal(1);
      });

      it('lets in who is invited, unless it is closed, and gives them no team of their own', async () => {
        const owner = await theOwner(world);
        const email = newEmail();
        const { url } = (await invite(owner, { teamId: owner.teamId, email })).data.createInvitation;
        const reply = await trySignUp(world, { email, invitationToken: tokenIn(url) });
        if (policy === 'closed') return expect(codeOf(reply)).to.equal('sign_up_closed');
        const person = await newSession(world, { email, password: PASSWORD });
        expect(await teamOf(person)).to.equal(owner.teamId);
        expect(codeOf(await person.ask(CREATE_TEAM, { name: 'Mine' }))).to.equal('sign_up_closed');
        const second = await owner.ask(CREATE_TEAM, { name: 'Second' });
        expect(second.data.createTeam.name).to.equal('Second');
        const team = await Team.findByPk(second.data.createTeam.id, { rejectOnEmpty: true });
        expect(team.hasNoLimits, 'as the first team of the owner').to.equal(true);
      });
    });
  }
});
