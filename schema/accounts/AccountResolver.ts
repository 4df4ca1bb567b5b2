import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { requireSession } from '../../src/access/authorize.ts';
import { type Account, readAccount } from '../../src/services/accounts/readAccount.ts';
import { endSession } from '../../src/services/accounts/sessions.ts';
import { signIn } from '../../src/services/accounts/signIn.ts';
import { signUp } from '../../src/services/accounts/signUp.ts';
import { type Context, clientOf } from '../context.ts';
import { SignInInput, SignUpInput, UserType } from './accountTypes.ts';

@Resolver()
export class AccountResolver {
  @Query(() => UserType, { nullable: true, description: 'Who is signed in; null when nobody is.' })
  async me(@Ctx() { principal }: Context): Promise<Account | null> {
    return principal.kind === 'session' ? readAccount(principal.userId) : null;
  }

  @Mutation(() => UserType, {
    description: 'Makes an account, as SIGN_UP allows, with a team of its own or by an invitation; signs it in.',
  })
  async signUp(@Arg('input', () => SignUpInput) input: SignUpInput, @Ctx() context: Context): Promise<Account | null> {
    const { user, token } = await signUp(input, clientOf(context));
    context.setSession?.(token);
    return readAccount(user.id);
  }

  @Mutation(() => UserType, { description: 'Begins a session and sets its cookie.' })
  async signIn(@Arg('input', () => SignInInput) input: SignInInput, @Ctx() context: Context): Promise<Account | null> {
    const { user, token } = await signIn(input, clientOf(context));
    context.setSession?.(token);
    return readAccount(user.id);
  }

  @Mutation(() => Boolean, { description: 'Ends the session and clears its cookie.' })
  async signOut(@Ctx() { principal, setSession }: Context): Promise<boolean> {
    await endSession(requireSession(principal).tokenHash);
    setSession?.(null);
    return true;
  }
}
