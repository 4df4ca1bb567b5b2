import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { requirePendingSession } from '../../src/access/authorize.ts';
import { confirmEmail, resendConfirmation } from '../../src/services/accounts/confirmEmail.ts';
import { type Account, readAccount } from '../../src/services/accounts/readAccount.ts';
import { endSession } from '../../src/services/accounts/sessions.ts';
import { signIn } from '../../src/services/accounts/signIn.ts';
import { signUp } from '../../src/services/accounts/signUp.ts';
import { beginIn, type Context, clientOf } from '../context.ts';
import { ConfirmEmailInput, SignInInput, SignUpInput, UserType } from './accountTypes.ts';

@Resolver()
export class AccountResolver {
  @Query(() => UserType, { nullable: true, description: 'Who is signed in; null when nobody is.' })
  async me(@Ctx() { principal }: Context): Promise<Account | null> {
    return principal.kind === 'session' ? readAccount(principal.userId) : null;
  }

  @Mutation(() => UserType, {
    description:
      'Makes an account, as SIGN_UP allows, with a team of its own or by an invitation; signs it in. Where mail is sent it can do nothing before its e-mail is confirmed, and the answer is the same for an e-mail that has an account.',
  })
  async signUp(@Arg('input', () => SignUpInput) input: SignUpInput, @Ctx() context: Context): Promise<Account | null> {
    const begun = await signUp(input, clientOf(context));
    beginIn(context, begun);
    return readAccount(begun.user.id);
  }

  @Mutation(() => Boolean, {
    description: 'Confirms the e-mail of an account with the token that was mailed there; the account may act then.',
  })
  async confirmEmail(@Arg('input', () => ConfirmEmailInput) { token }: ConfirmEmailInput): Promise<boolean> {
    await confirmEmail(token);
    return true;
  }

  @Mutation(() => Boolean, { description: 'Has the link to confirm your e-mail mailed once more.' })
  async resendConfirmation(@Ctx() { principal }: Context): Promise<boolean> {
    await resendConfirmation(principal);
    return true;
  }

  @Mutation(() => UserType, { description: 'Begins a session and sets its cookie.' })
  async signIn(@Arg('input', () => SignInInput) input: SignInInput, @Ctx() context: Context): Promise<Account | null> {
    const begun = await signIn(input, clientOf(context));
    beginIn(context, begun);
    return readAccount(begun.user.id);
  }

  @Mutation(() => Boolean, { description: 'Ends the session and clears its cookie.' })
  async signOut(@Ctx() { principal, setSession }: Context): Promise<boolean> {
    await endSession(requirePendingSession(principal).tokenHash);
    setSession?.(null);
    return true;
  }
}
