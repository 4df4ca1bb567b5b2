import { Secret, TOTP } from 'otpauth';
import { unsealFor } from '../../src/db/sealedColumns.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { clock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { MailContent } from '../../src/mail/renderLetter.ts';
import { Mail } from '../../src/models/Mail.ts';
import type { Role } from '../../src/models/Membership.ts';
import { type GraphqlReply, graphql } from './graphql.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Settings of a world in which many sign up and in from one address, and where mails wait that nobody takes. */
export const MANY_PEOPLE = {
  SIGN_UPS_PER_HOUR: '1000',
  SIGN_IN_ATTEMPTS: '1000',
  PASSWORD_RESETS_PER_HOUR: '1000',
  SMTP_URL: 'smtp://127.0.0.1:1',
};

export const PASSWORD = 'correct horse battery';

const SIGN_UP = 'mutation ($input: SignUpInput!) { signUp(input: $input) { id email secondFactor recoveryCodesLeft } }';
const SIGN_IN = 'mutation ($input: SignInInput!) { signIn(input: $input) { id email } }';
const CONFIRM = 'mutation ($input: ConfirmEmailInput!) { confirmEmail(input: $input) }';
const REQUEST_RESET = 'mutation ($email: String!) { requestPasswordReset(email: $email) }';
const RESET = 'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
const INVITE =
  'mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { id email role url isMailed expiresAt } }';

/** Somebody with an account and an open session. */
export interface SignedIn {
  userId: string;
  email: string;
  cookie: string;
  ask(query: string, variables?: Record<string, unknown>): Promise<GraphqlReply>;
}

export function codeOf({ errors }: GraphqlReply): string | undefined {
  return errors?.[0]?.extensions.code;
}

export function trySignUp(world: World, input: Record<string, unknown>): Promise<GraphqlReply> {
  return graphql(world.origin, SIGN_UP, { input: { email: newEmail(), password: PASSWORD, ...input } });
}

export function trySignIn(world: World, input: Record<string, unknown>): Promise<GraphqlReply> {
  return graphql(world.origin, SIGN_IN, { input: { password: PASSWORD, ...input } });
}

/** Signs somebody up, whose e-mail may still have to be confirmed. Throws when it is refused. */
export async function signUp(world: World, email = newEmail(), input: Record<string, unknown> = {}) {
  const reply = await trySignUp(world, { email, ...input });
  if (!reply.cookie) throw new Error(`Refused: ${reply.errors?.[0]?.message}`);
  return { email, cookie: reply.cookie, reply };
}

/** Opens the mailed link that confirms an e-mail, with the password of the account or in a session. */
export function confirmEmail(
  world: World,
  { token, password = PASSWORD, cookie }: { token: string; password?: string | null; cookie?: string },
): Promise<GraphqlReply> {
  return graphql(world.origin, CONFIRM, { input: { token, password } }, cookie);
}

/** Sets a new password with the link that is mailed for it. */
export async function resetPassword(world: World, email: string, password: string): Promise<GraphqlReply> {
  await graphql(world.origin, REQUEST_RESET, { email });
  const token = await until(() => mailedToken(email, 'password_reset'), 'the mail');
  return graphql(world.origin, RESET, { token, password });
}

/** Makes an account, and confirms its e-mail where mail is sent. Throws when it is refused. */
export async function newPerson(world: World, input: Record<string, unknown> = {}): Promise<SignedIn> {
  const person = signedIn(world, await trySignUp(world, input), 'signUp');
  const where = { address: person.email, kind: 'confirm_email' };
  const token = await mailedToken(person.email, 'confirm_email');
  if (!token) return person;
  const { errors } = await person.ask(CONFIRM, { input: { token } });
  if (errors) throw new Error(`Not confirmed: ${errors[0]?.message}`);
  await inTransaction((transaction) => Mail.destroy({ where, transaction }));
  return person;
}

/** The token in the last mail of that kind to somebody; empty without one. */
export async function mailedToken(address: string, kind: string): Promise<string> {
  const mails = await mailsTo(address);
  return tokenIn(mails.findLast((mail) => mail.kind === kind)?.text ?? '');
}

/** One more session of an account. Throws when it is refused. */
export async function newSession(world: World, input: Record<string, unknown>): Promise<SignedIn> {
  return signedIn(world, await trySignIn(world, input), 'signIn');
}

/** The account of the first start. */
export async function theOwner(world: World): Promise<SignedIn & { teamId: string }> {
  const owner = await newSession(world, { email: world.email, password: world.password });
  return { ...owner, teamId: await teamOf(owner) };
}

/** Somebody who owns the only team that they are in, with its only project. */
export async function newOwner(world: World, input: Record<string, unknown> = {}) {
  const owner = await newPerson(world, { teamName: 'Engines', ...input });
  return { owner, teamId: await teamOf(owner), projectId: await projectOf(owner) };
}

/** What the answer says. Throws when it is a refusal. */
export async function done(reply: Promise<GraphqlReply>): Promise<GraphqlReply['data']> {
  const { data, errors } = await reply;
  if (errors) throw new Error(`Refused: ${JSON.stringify(errors)}`);
  return data;
}

/** The only team of a person. */
export async function teamOf({ ask }: SignedIn): Promise<string> {
  return (await ask('{ teams { data { id } } }')).data.teams.data[0].id;
}

/** The only project of a person. */
export async function projectOf({ ask }: Pick<SignedIn, 'ask'>): Promise<string> {
  return (await ask('{ projects { data { id } } }')).data.projects.data[0].id;
}

/** An invitation as its maker sees it. */
export function invite(by: SignedIn, input: { teamId: string; email: string; role?: Role }): Promise<GraphqlReply> {
  return by.ask(INVITE, { input: { role: 'member', ...input } });
}

/** Somebody who joined a team by an invitation. */
export async function newMember(world: World, by: SignedIn, teamId: string, role: Role): Promise<SignedIn> {
  const email = newEmail();
  const { data, errors } = await invite(by, { teamId, email, role });
  if (!data?.createInvitation) throw new Error(`Not invited: ${errors?.[0]?.message}`);
  const invitationToken = (await mailedToken(email, 'invitation')) || tokenIn(data.createInvitation.url);
  return newPerson(world, { email, invitationToken });
}

export function newEmail(): string {
  return `${newId('usr')}@example.com`;
}

/** The token of an address that a mail or an answer holds. */
export function tokenIn(text: string): string {
  return /#token=([\w-]+)/.exec(text)?.[1] ?? '';
}

/** What waits to be mailed to somebody, the oldest first. */
export async function mailsTo(address: string): Promise<(MailContent & { kind: string })[]> {
  const mails = await Mail.findAll({ where: { address }, order: [['id', 'ASC']] });
  return mails.map(({ id, kind, content }) => ({
    kind,
    ...(content === null ? { text: '' } : JSON.parse(unsealFor('mailContent', [id], content))),
  }));
}

/** What an authenticator app with that secret shows; `steps` later. */
export function codeFor(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now() + steps * 30_000 });
}

function signedIn(world: World, reply: GraphqlReply, field: 'signUp' | 'signIn'): SignedIn {
  const { cookie, data, errors } = reply;
  if (!cookie) throw new Error(`Refused: ${errors?.[0]?.message}`);
  const ask: SignedIn['ask'] = (query, variables = {}) => graphql(world.origin, query, variables, cookie);
  return { userId: data[field].id, email: data[field].email, cookie, ask };
}
