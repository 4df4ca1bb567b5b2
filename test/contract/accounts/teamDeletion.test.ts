// stores: any
import { expect } from 'chai';
import type { SessionPrincipal } from '../../../src/access/principal.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { restoreProject } from '../../../src/deletion/projectDeletionService.ts';
import { switchTeamOff } from '../../../src/deletion/teamDeletionService.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { createProject } from '../../../src/projects/projectService.ts';
import { expectError } from '../../support/expectError.ts';
import {
  codeOf,
  invite,
  MANY_PEOPLE,
  mailsTo,
  newMember,
  PASSWORD,
  type SignedIn,
  theOwner,
  tokenIn,
} from '../../support/people.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DELETE =
  'mutation ($id: ID!, $password: String!) { deleteTeam(id: $id, password: $password) { id role deletionAt } }';
const RESTORE = 'mutation ($id: ID!) { restoreTeam(id: $id) { id role deletionAt } }';
const DELETED = '{ deletedTeams { id role deletionAt } }';
const CONTENTS = 'query ($id: ID!) { teamContents(id: $id) { projects links webhooks keys members } }';
const DELETE_PROJECT = 'mutation ($id: ID!, $password: String!) { deleteProject(id: $id, password: $password) { id } }';
const DESTINATION = 'https://www.example.com/';

describe('the deletion of a team', () => {
  const world = useWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });
  let owner: SignedIn & { teamId: string };
  let teamId: string;
  let mine: Tenant;

  beforeEach(async () => {
    owner = await theOwner(world);
    teamId = (await owner.ask('mutation { createTeam(name: "Short-lived") { id } }')).data.createTeam.id;
    mine = await makeTenant(world, teamId);
  });
  afterEach(async () => {
    clock.reset();
    await owner.ask(DELETE, { id: teamId, password: world.password });
  });

  const deleteIt = (by: SignedIn = owner, password = world.password) => by.ask(DELETE, { id: teamId, password });
  const restoreIt = (by: SignedIn = owner) => by.ask(RESTORE, { id: teamId });

  it('is for owners alone, with their password', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    for (const reply of [
      await deleteIt(admin, PASSWORD),
      await admin.ask(CONTENTS, { id: teamId }),
      await restoreIt(admin),
    ]) {
      expect(codeOf(reply)).to.equal('insufficient_scope');
    }
    expect(codeOf(await deleteIt(owner, 'wrong password'))).to.equal('invalid_credentials');
    expect((await admin.ask(DELETED)).data.deletedTeams).to.deep.equal([]);
    const contents = await owner.ask(CONTENTS, { id: teamId });
    expect(contents.data.teamContents).to.deep.equal({ projects: 2, links: 0, webhooks: 0, keys: 1, members: 2 });
  });

  it('hides the team from all of its members, and brings everything back', async () => {
    const member = await newMember(world, owner, teamId, 'member');
    const { body: link } = await mine.api('POST', '/links', { destination: DESTINATION });
    const { data } = await deleteIt();
    expect(data.deleteTeam).to.include({ id: teamId, role: 'owner' });
    // The second time no password is checked.
    for (const again of [await deleteIt(), await deleteIt(owner, 'wrong password')]) {
      expect(again.data?.deleteTeam).to.deep.equal(data.deleteTeam);
    }
    for (const person of [owner, member]) {
      const teams = await person.ask('{ teams { data { id } } projects { data { id } } }');
      expect(JSON.stringify(teams.data)).to.not.include(teamId).and.not.include(mine.projectId);
      for (const query of [
        'query ($id: ID!) { team(id: $id) { id } }',
        'query ($id: ID!) { members(teamId: $id) { data { userId } } }',
        'query ($id: ID!) { auditLog(teamId: $id) { data { id } } }',
        'query ($id: ID!) { mailPreferences(teamId: $id) { __typename } }',
        'mutation ($id: ID!) { leaveTeam(teamId: $id) { __typename } }',
      ]) {
        expect(codeOf(await person.ask(query, { id: teamId })), query).to.equal('not_found');
      }
      expect(codeOf(await person.ask('query ($id: ID!) { project(id: $id) { id } }', { id: mine.projectId }))).to.equal(
        'not_found',
      );
    }
    expectError(await mine.api('GET', '/team'), 401, 'invalid_key');
    const path = `${world.origin}/${link.slug}`;
    expect((await fetch(path, { redirect: 'manual' })).status).to.equal(404);
    const deleted = async () => (await owner.ask(DELETED)).data.deletedTeams;
    expect(await deleted()).to.deep.include(data.deleteTeam);
    expect((await member.ask(DELETED)).data.deletedTeams).to.deep.equal([]);

    expect((await restoreIt()).data.restoreTeam).to.deep.equal({ id: teamId, role: 'owner', deletionAt: null });
    expect((await mine.api('GET', '/team')).body.id).to.equal(teamId);
    expect((await fetch(path, { redirect: 'manual' })).status).to.equal(302);
    expect(await deleted()).to.not.deep.include(data.deleteTeam);
    const actions = await AuditEntry.findAll({
      where: { teamId, action: ['team.deleted', 'team.restored'] },
      order: ['id'],
    });
    expect(actions.map(({ action }) => action)).to.deep.equal(['team.deleted', 'team.restored']);
  });

  it('leaves a project deleted that was deleted before', async () => {
    await owner.ask(DELETE_PROJECT, { id: mine.projectId, password: world.password });
    await deleteIt();
    await restoreIt();
    const { data } = await owner.ask('query ($id: ID!) { deletedProjects(teamId: $id) { data { id } } }', {
      id: teamId,
    });
    expect(data.deletedProjects.data).to.deep.equal([{ id: mine.projectId }]);
  });

  describe('while a request is under way that began before it', () => {
    /** The owner as such a request knows them. */
    const earlier = (): SessionPrincipal => ({
      kind: 'session',
      userId: owner.userId,
      tokenHash: '',
      roles: new Map([[teamId, 'owner']]),
      deletedRoles: new Map(),
      isPending: false,
      isDeleted: false,
    });
    const codeOfError = (work: Promise<unknown>) => work.then(() => undefined).catch(({ code }) => code);

    it('restores no project', async () => {
      await owner.ask(DELETE_PROJECT, { id: mine.projectId, password: world.password });
      const principal = earlier();
      await deleteIt();
      expect(await codeOfError(restoreProject(principal, mine.projectId))).to.equal('not_found');
      expect(await Project.count({ where: { teamId } })).to.equal(0);
    });

    it('creates no project', async () => {
      let begun = () => {};
      const isAuthorized = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const input = {
        teamId,
        name: 'Late',
        // Read once the team has been found, before the transaction.
        get apps() {
          begun();
          return [];
        },
      };
      const creation = await inTransaction(async (transaction) => {
        const team = await Team.findByPk(teamId, { transaction, lock: true, rejectOnEmpty: true });
        await switchTeamOff(earlier(), team, new Date(clock.now() + DAY_MS), transaction);
        const late = codeOfError(createProject(earlier(), input));
        await isAuthorized;
        return { late };
      });
      expect(await creation.late).to.equal('not_found');
      expect(await Project.count({ where: { teamId } })).to.equal(0);
    });
  });

  it('is refused in survival mode, and its restoration is not', async () => {
    const enter = 'mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "a move") { id } }';
    await owner.ask(enter, { id: teamId });
    expect(codeOf(await deleteIt())).to.equal('team_read_only');
    const leave = 'mutation ($id: ID!) { leaveSurvivalMode(teamId: $id) { id } }';
    await owner.ask(leave, { id: teamId });
    await deleteIt();
    expect((await restoreIt()).errors).to.equal(undefined);
  });

  it('ends its invitations meanwhile, and is mailed to its owners', async () => {
    const { data } = await invite(owner, { teamId, email: 'ada@example.com' });
    await deleteIt();
    const token = tokenIn(data.createInvitation.url);
    const offer = await owner.ask('query ($token: String!) { invitation(token: $token) { teamName } }', { token });
    expect(codeOf(offer)).to.equal('invalid_token');
    const mails = (await mailsTo(owner.email)).filter(({ kind }) => kind === 'team_deleted');
    expect(mails.at(-1)?.text).to.include(owner.email).and.include('Short-lived').and.include('/app/account');
  });

  it('cannot be undone when its time is over', async () => {
    await deleteIt();
    clock.use({ now: () => Date.now() + 7 * DAY_MS + 1000 });
    expect(codeOf(await restoreIt())).to.equal('not_found');
    expect((await owner.ask(DELETED)).data.deletedTeams).to.deep.equal([]);
  });
});
