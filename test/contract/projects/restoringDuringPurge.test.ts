// stores: each
import { expect } from 'chai';
import { purgeDeleted } from '../../../jobs/purgeDeleted.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { Project } from '../../../src/models/Project.ts';
import {
  codeOf,
  MANY_PEOPLE,
  newPerson,
  newSession,
  PASSWORD,
  projectOf,
  type SignedIn,
  teamOf,
  theOwner,
} from '../../support/people.ts';
import { useWorld } from '../../support/world.ts';

const LISTS = `query ($teamId: ID!) { deletedProjects(teamId: $teamId) { data { id } } }`;

describe('restoring while a process whose clock was ahead has begun the purge', () => {
  const world = useWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', NEW_ACCOUNT_DAYS: '0' });
  let person: SignedIn;
  let teamId: string;
  let projectId: string;

  beforeEach(async () => {
    person = await newPerson(world);
    teamId = await teamOf(person);
    projectId = await projectOf(person);
  });
  afterEach(() => clock.reset());

  const mutate = (field: string, id: string) =>
    person.ask(`mutation ($id: ID!, $password: String!) { ${field}(id: $id, password: $password) { id } }`, {
      id,
      password: PASSWORD,
    });
  const restore = (field: string, id: string) =>
    person.ask(`mutation ($id: ID!) { ${field}(id: $id) { id deletionAt } }`, { id });

  /** The purge of the only project whose time is over begins by a wrong clock, and stops before it has deleted anything. */
  const beginPurge = async () => {
    clock.use({ now: () => Date.now() + 8 * DAY_MS });
    let asked = 0;
    const stopped = {
      get aborted() {
        asked += 1;
        return asked > 1;
      },
    };
    await purgeDeleted(stopped as AbortSignal);
    clock.reset();
    expect(await Project.unscoped().count({ where: { id: projectId } })).to.equal(1);
  };

  it('is refused for a project as when its time is over', async () => {
    await mutate('deleteProject', projectId);
    expect((await person.ask(LISTS, { teamId })).data.deletedProjects.data).to.deep.equal([{ id: projectId }]);
    await beginPurge();
    expect(codeOf(await restore('restoreProject', projectId))).to.equal('not_found');
    expect((await person.ask(LISTS, { teamId })).data.deletedProjects.data).to.deep.equal([]);
    await purgeDeleted(new AbortController().signal);
    expect(await Project.unscoped().findByPk(projectId)).to.equal(null);
  });

  it('is refused for a team once the purge of one of its projects has begun', async () => {
    await mutate('deleteTeam', teamId);
    expect((await person.ask('{ deletedTeams { id } }')).data.deletedTeams).to.deep.equal([{ id: teamId }]);
    await beginPurge();
    expect(codeOf(await restore('restoreTeam', teamId))).to.equal('not_found');
    expect((await person.ask('{ deletedTeams { id } }')).data.deletedTeams).to.deep.equal([]);
    await purgeDeleted(new AbortController().signal);
  });

  it('brings an account back without the team that was deleted with it', async () => {
    // The last account cannot be deleted.
    await theOwner(world);
    await person.ask('mutation ($password: String!) { deleteAccount(password: $password) { deletionAt } }', {
      password: PASSWORD,
    });
    await beginPurge();
    const back = await newSession(world, { email: person.email });
    expect((await back.ask('mutation { restoreAccount { id } }')).errors).to.equal(undefined);
    expect((await back.ask('{ teams { data { id } } }')).data.teams.data).to.deep.equal([]);
    await purgeDeleted(new AbortController().signal);
  });
});
