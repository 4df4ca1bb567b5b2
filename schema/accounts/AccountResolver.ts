import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { requireSession } from '../../src/access/authorize.ts';
import { findUser } from '../../src/services/accounts/findUser.ts';
import { endSession } from '../../src/services/accounts/sessions.ts';
import { signIn } from '../../src/services/accounts/signIn.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';

@ObjectType('User')
class UserType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare email: string;
}

@InputType()
class SignInInput {
  @RuleField(() => String, { rule: { minLength: 3, maxLength: 320 } }) declare email: string;
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 1000 } }) declare password: string;
}

@Resolver()
export class AccountResolver {
  @Query(() => UserType, { nullable: true, description: 'Who is signed in; null when nobody is.' })
  async me(@Ctx() { principal }: Context): Promise<UserType | null> {
    return principal.kind === 'session' ? findUser(principal.userId) : null;
  }

  @Mutation(() => UserType, { description: 'Begins a session and sets its cookie.' })
  async signIn(
    @Arg('input', () => SignInInput) input: SignInInput,
    @Ctx() { clientAddress, setSession }: Context,
  ): Promise<UserType> {
    const { user, token } = await signIn(input, clientAddress);
    setSession?.(token);
    return user;
  }

  @Mutation(() => Boolean, { description: 'Ends the session and clears its cookie.' })
  async signOut(@Ctx() { principal, setSession }: Context): Promise<boolean> {
    await endSession(requireSession(principal).tokenHash);
    setSession?.(null);
    return true;
  }
}
