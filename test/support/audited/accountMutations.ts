import { TOTP } from 'otpauth';
import { insertResetLink } from '../../../src/accounts/accountService.ts';
import { insertPending } from '../../../src/accounts/userStore.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { inSeconds } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { EmailChange } from '../../../src/models/EmailChange.ts';
import { EmailConfirmation } from '../../../src/models/EmailConfirmation.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { Project } from '../../../src/models/Project.ts';
import { SecondFactorUndo } from '../../../src/models/SecondFactorUndo.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { graphql, signIn } from '../graphql.ts';
import { stopClock } from '../stopClock.ts';
import { MEMBER_PASSWORD, makeTenant, memberSession } from '../tenants.ts';
import type { AuditedMutation, Prepared } from './AuditedMutation.ts';

const NEW_PASSWORD = 'yet another password, a long one';

/** Mutations about members, invitations and accounts. */
export const ACCOUNT_MUTATIONS: Record<string, AuditedMutation> = {
  createTeam: { action: 'team.created', isOfNewTeam: true, variables: () => ({ name: 'Made' }) },
  deleteProject: {
    action: 'project.deleted',
    variables: ({ mine }) => ({ id: mine.projectId, password: MEMBER_PASSWORD }),
  },
  restoreProject: {
    action: 'project.restored',
    async variables({ mine }) {
      await hide(Project, mine.projectId);
      return { id: mine.projectId };
    },
  },
  deleteTeam: { action: 'team.deleted', variables: ({ mine }) => ({ id: mine.teamId, password: MEMBER_PASSWORD }) },
  restoreTeam: {
    action: 'team.restored',
    async variables({ mine }) {
      await hide(Team, mine.teamId);
      return { id: mine.teamId };
    },
  },
  updateTeam: { action: 'team.updated', variables: ({ mine }) => ({ id: mine.teamId, name: newId('team') }) },
  signUp: {
    action: 'team.created',
    isOfNewTeam: true,
    variables: () => ({ input: { email: `${newId('usr')}@example.com`, password: NEW_PASSWORD } }),
  },
  signIn: {
    action: 'account.signed_in',
    async variables({ mine }) {
      const user = await User.findByPk(await userIn(mine.teamId, 'owner'), { rejectOnEmpty: true });
      return { input: { email: user.email, password: MEMBER_PASSWORD } };
    },
  },
  confirmEmail: {
    action: 'team.created',
    isOfNewTeam: true,
    async variables({ mine }) {
      const entry = { teamName: 'Made', invitationHash: null };
      const { passwordHash } = await User.findByPk(await userIn(mine.teamId, 'owner'), { rejectOnEmpty: true });
      const account = { email: `${newId('usr')}@example.com`, passwordHash, entry };
      const token = newId('usr');
      await inTransaction(async (transaction) => {
        const { id: userId } = await insertPending(account, transaction);
        const row = { tokenHash: sha256(token), userId, expiresAt: inSeconds(60), createdAt: inSeconds(0) };
        await EmailConfirmation.create(row, { transaction });
      });
      return { input: { token, password: MEMBER_PASSWORD } };
    },
  },
  createInvitation: { action: 'member.invited', variables: invitation },
  revokeInvitation: { action: 'member.invitation_revoked', variables: async (prepared) => invite(prepared) },
  acceptInvitation: {
    action: 'member.joined',
    async variables(prepared) {
      const { world } = prepared;
      const other = await makeTenant(world);
      await memberSession(world, other.teamId, 'viewer');
      const email = await emailIn(other.teamId);
      prepared.cookie = await signIn(world.origin, email, MEMBER_PASSWORD);
      const { url } = await invite(prepared, email);
      return { token: tokenOf(url) };
    },
  },
  changeMemberRole: {
    action: 'member.role_changed',
    variables: async (prepared) => ({ ...(await viewer(prepared)), role: 'member' }),
  },
  removeMember: { action: 'member.removed', variables: viewer },
  leaveTeam: {
    action: 'member.removed',
    async variables({ world, mine }) {
      await memberSession(world, mine.teamId, 'owner');
      return { teamId: mine.teamId };
    },
  },
  changePassword: {
    action: 'account.password_changed',
    variables: () => ({ currentPassword: MEMBER_PASSWORD, password: NEW_PASSWORD }),
  },
  resetPassword: {
    action: 'account.password_reset',
    async variables({ mine }) {
      const userId = await userIn(mine.teamId, 'owner');
      const { url } = await inTransaction((transaction) => insertResetLink(userId, transaction));
      return { token: tokenOf(url), password: NEW_PASSWORD };
    },
  },
  changeEmail: {
    action: 'account.email_changed',
    variables: () => ({ email: `${newId('usr')}@example.com`, password: MEMBER_PASSWORD }),
  },
  confirmEmailChange: {
    action: 'account.email_changed',
    variables: async ({ mine }) => ({ token: await emailChange(mine.teamId, null) }),
  },
  undoEmailChange: {
    action: 'account.email_change_undone',
    variables: async ({ mine }) => ({ token: await emailChange(mine.teamId, inSeconds(0)) }),
  },
  deleteAccount: {
    action: 'member.removed',
    async variables({ world, mine }) {
      await memberSession(world, mine.teamId, 'owner');
      return { password: MEMBER_PASSWORD };
    },
  },
  restoreAccount: {
    action: 'member.joined',
    async variables(prepared) {
      const { world, mine } = prepared;
      await memberSession(world, mine.teamId, 'viewer');
      const email = await emailIn(mine.teamId);
      const question = 'mutation ($password: String!) { deleteAccount(password: $password) { deletionAt } }';
      await graphql(
        world.origin,
        question,
        { password: MEMBER_PASSWORD },
        await signIn(world.origin, email, MEMBER_PASSWORD),
      );
      prepared.cookie = await signIn(world.origin, email, MEMBER_PASSWORD);
      return {};
    },
  },
  confirmSecondFactor: {
    action: 'account.second_factor_on',
    variables: async (prepared) => ({ code: codeAt(await beginSecondFactor(prepared), Date.now()) }),
  },
  undoSecondFactor: {
    action: 'account.second_factor_undone',
    async variables({ mine }) {
      const [token, userId] = [newId('usr'), await userIn(mine.teamId, 'owner')];
      const times = { enabledAt: inSeconds(0), expiresAt: inSeconds(60), createdAt: inSeconds(0) };
      const row = { tokenHash: sha256(token), userId, ...times };
      await inTransaction((transaction) => SecondFactorUndo.create(row, { transaction }));
      return { token };
    },
  },
  newRecoveryCodes: { action: 'account.recovery_codes_made', variables: nextCode },
  disableSecondFactor: { action: 'account.second_factor_off', variables: nextCode },
};

/** What of it is not noted, and why. */
export const NOT_OF_A_TEAM: Record<string, string> = {
  beginSecondFactor: 'nothing is on before it is confirmed',
  endSession: 'a session belongs to a person, who may be in several teams',
  signOut: 'a session belongs to a person',
  signOutEverywhere: 'sessions belong to a person',
  resendConfirmation: 'changes nothing before the mailed link is used',
  cancelEmailChange: 'changes nothing: what is withdrawn was not confirmed',
  requestPasswordReset: 'changes nothing before the mailed link is used, and anybody may ask',
  setMailPreferences: 'which mails a person wants is their own affair',
};

function invitation({ mine }: Prepared, email = `${newId('usr')}@example.com`) {
  return { input: { teamId: mine.teamId, email, role: 'viewer' } };
}

async function invite(prepared: Prepared, email?: string): Promise<{ id: string; url: string }> {
  const create = 'mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { id url } }';
  const { data, errors } = await ask(prepared, create, invitation(prepared, email));
  if (!data?.createInvitation) throw new Error(errors?.[0]?.message);
  return data.createInvitation;
}

async function viewer({ world, mine }: Prepared) {
  await memberSession(world, mine.teamId, 'viewer');
  return { teamId: mine.teamId, userId: await userIn(mine.teamId, 'viewer') };
}

async function userIn(teamId: string, role: string): Promise<string> {
  return (await Membership.findOne({ where: { teamId, role }, rejectOnEmpty: true })).userId;
}

async function emailIn(teamId: string): Promise<string> {
  return (await User.findByPk(await userIn(teamId, 'viewer'), { rejectOnEmpty: true })).email;
}

/** The token of a change of the owner's e-mail, to confirm or, when it was made, to undo it. */
async function emailChange(teamId: string, changedAt: Date | null): Promise<string> {
  const user = await User.findByPk(await userIn(teamId, 'owner'), { rejectOnEmpty: true });
  const [token, other] = [newId('usr'), `${newId('usr')}@example.com`];
  const row = { tokenHash: sha256(token), userId: user.id, fromEmail: changedAt ? other : user.email, toEmail: other };
  const times = { changedAt, expiresAt: inSeconds(60), createdAt: inSeconds(0) };
  await inTransaction((transaction) => EmailChange.create({ ...row, ...times }, { transaction }));
  return token;
}

function tokenOf(url: string): string {
  return /[\w-]{20,}$/.exec(url)?.[0] ?? '';
}

async function beginSecondFactor(prepared: Prepared): Promise<string> {
  const begin = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret } }';
  return (await ask(prepared, begin, { password: MEMBER_PASSWORD })).data.beginSecondFactor.secret;
}

/** The factor is on, and this is its next code: each is good once. */
async function nextCode(prepared: Prepared) {
  const time = stopClock();
  const secret = await beginSecondFactor(prepared);
  const confirm = 'mutation ($code: String!) { confirmSecondFactor(code: $code) }';
  await ask(prepared, confirm, { code: codeAt(secret, time.nowMs) });
  time.move(60);
  return { password: MEMBER_PASSWORD, code: codeAt(secret, time.nowMs) };
}

function codeAt(secret: string, atMs: number): string {
  return new TOTP({ secret }).generate({ timestamp: atMs });
}

function ask({ world, owner }: Prepared, document: string, variables: object) {
  return graphql(world.origin, document, { ...variables }, owner);
}

/** Deletes a project or team with a day to undo it. */
async function hide(model: typeof Project | typeof Team, id: string): Promise<void> {
  const deleted = { deletionAt: inSeconds(86_400) };
  await inTransaction((transaction) => (model as typeof Project).update(deleted, { where: { id }, transaction }));
}
