import { User } from '../../src/models/User.ts';
import { type GraphqlReply, graphql } from './graphql.ts';
import { done, mailedToken, mailsTo, newEmail, PASSWORD, type SignedIn } from './people.ts';
import type { World } from './world.ts';

const CHANGE = `mutation ($email: String!, $password: String!, $code: String) {
  changeEmail(email: $email, password: $password, code: $code) { email sentTo changedAt undoUntil } }`;
const CONFIRM =
  'mutation ($token: String!, $password: String) { confirmEmailChange(token: $token, password: $password) { id email pendingEmail } }';
const UNDO = 'mutation ($token: String!) { undoEmailChange(token: $token) }';

/** How people change the e-mail of their account, confirm the change and undo it. */
export function emailChanges(world: Pick<World, 'origin'>) {
  const ask = (query: string, variables: Record<string, unknown>) => graphql(world.origin, query, variables);
  const change = (of: SignedIn, email: string, password = PASSWORD, code?: string) =>
    of.ask(CHANGE, { email, password, ...(code === undefined ? {} : { code }) });
  const confirm = (token: string, password: string | null = PASSWORD) => ask(CONFIRM, { token, password });
  return {
    change,
    /** The same with the cookie of a session, or without one. */
    changeBy: (cookie: string | undefined, email: string) =>
      graphql(world.origin, CHANGE, { email, password: PASSWORD }, cookie),
    /** Opens the link that was mailed to the new address where nobody is signed in. */
    confirm,
    /** The same in a session, without a password. */
    confirmIn: (session: SignedIn, token: string): Promise<GraphqlReply> => session.ask(CONFIRM, { token }),
    /** Changes the e-mail and confirms that; `reply` is that of the confirmation. */
    async changed(of: SignedIn, email = newEmail(), code?: string) {
      await done(change(of, email, PASSWORD, code));
      return { email, reply: await confirm(await mailedToken(email, 'confirm_email_change')) };
    },
    undo: (token: string) => ask(UNDO, { token }),
    /** The token of the link that was mailed to the former address. */
    undoing: (former: string) => mailedToken(former, 'email_changed'),
    emailOf: async ({ userId }: Pick<SignedIn, 'userId'>) => (await User.findByPk(userId))?.email,
    kindsTo: async (email: string) => (await mailsTo(email)).map(({ kind }) => kind),
  };
}
