import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { hashPassword } from '../../src/kernel/passwords.ts';
import { Membership, type Role } from '../../src/models/Membership.ts';
import { Project } from '../../src/models/Project.ts';
import { Team } from '../../src/models/Team.ts';
import { User } from '../../src/models/User.ts';
import { insertKey } from '../../src/projects/keyService.ts';
import { type Api, apiOf } from './api.ts';
import { graphql, signIn } from './graphql.ts';
import type { World } from './world.ts';

/** A project with a key for everything in it. */
export interface Tenant {
  teamId: string;
  projectId: string;
  api: Api;
  /** What its apps ask, with a publishable key that is made for it. */
  sdk(): Promise<Api>;
}

/** The project of the first start. */
export async function firstTenant(world: World): Promise<Tenant> {
  const [team, projects] = await Promise.all([world.api('GET', '/team'), world.api('GET', '/projects')]);
  const projectId = projects.body.data[0].id;
  return { teamId: team.body.id, projectId, api: world.api, sdk: async () => sdkApi(world, world.publishableKey) };
}

/** One more project, of the given team or of a team of others. */
export async function makeTenant(world: World, teamId?: string): Promise<Tenant> {
  return inTransaction(async (transaction) => {
    const owner = teamId ?? (await Team.create({ id: newId('team'), name: 'Others' }, { transaction })).id;
    const project = await Project.create(
      { id: newId('prj'), teamId: owner, name: 'Neighbours', apps: [] },
      { transaction },
    );
    const input = { projectId: project.id, name: 'All', scopes: ['*'], createdBy: null };
    const { key } = await insertKey(input, transaction);
    const sdk = async () => sdkApi(world, await makePublishableKey(project.id));
    return { teamId: owner, projectId: project.id, api: apiOf(world.origin, key), sdk };
  });
}

function sdkApi(world: World, key: string): Api {
  return apiOf(world.origin, key, 'sdk');
}

async function makePublishableKey(projectId: string): Promise<string> {
  const input = { projectId, name: 'App', kind: 'publishable', createdBy: null } as const;
  return (await inTransaction((transaction) => insertKey(input, transaction))).key;
}

/** The session cookie of the owner that the first start made. */
export function ownerSession(world: World): Promise<string> {
  return signIn(world.origin, world.email, world.password);
}

/** The password of every member that `memberSession` makes. */
export const MEMBER_PASSWORD = 'one more password';

/** The session cookie of a new member of that team. */
export async function memberSession(world: World, teamId: string, role: Role): Promise<string> {
  const password = MEMBER_PASSWORD;
  const passwordHash = await hashPassword(password);
  const email = `${role}-${newId('usr')}@example.com`;
  await inTransaction(async (transaction) => {
    const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
    await Membership.create({ teamId, userId: user.id, role }, { transaction });
  });
  return signIn(world.origin, email, password);
}

const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id key scopes lastFour } }';

/** A key as the dashboard makes it. */
export async function makeKey(
  world: World,
  cookie: string,
  input: { projectId: string; scopes?: string[]; kind?: 'secret' | 'publishable'; expiresAt?: string },
): Promise<{ key: string; id: string; scopes: string[] }> {
  const { data, errors } = await graphql(world.origin, CREATE_KEY, { input: { name: 'Made', ...input } }, cookie);
  if (!data?.createKey) throw new Error(`No key was made: ${errors?.[0]?.message}`);
  return data.createKey;
}
