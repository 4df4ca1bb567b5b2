import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type Account, readAccount } from '../../src/accounts/accountService.ts';
import { signOut } from '../../src/accounts/sessionService.ts';
import { signIn } from '../../src/accounts/signInService.ts';
import { confirmEmail, resendConfirmation, signUp } from '../../src/accounts/signUpService.ts';
import { Time } from '../commonTypes.ts';
import { type Context, clientOf, setSessionCookies } from '../context.ts';
import { RuleField } from '../rules.ts';
import {
  CODE_RULE,
  EMAIL_RULE,
  GIVEN_PASSWORD_RULE,
  OPTIONAL_PASSWORD,
  PASSWORD_RULE,
  TEAM_NAME_RULE,
  TOKEN_RULE,
} from './accountRules.ts';

@ObjectType('User', { description: 'The account of a person.' })
export class UserType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The e-mail that the person signs in with.' }) declare email: string;
  @Field(() => Boolean, {
    description: 'Until it is true, the account can only confirm its e-mail, have the mail sent again and sign out.',
  })
  declare emailConfirmed: boolean;
  @Field(() => String, { nullable: true, description: 'The e-mail that replaces it once it is confirmed.' })
  declare pendingEmail: string | null;
  @Field(() => Time, {
    nullable: true,
    description:
      'When the deleted account will be deleted for good; until then it can only be restored, and the person sign out. Null for all others.',
  })
  declare deletionAt: Date | null;
  @Field(() => Boolean, { description: 'Whether signing in needs the code of an authenticator app.' })
  declare secondFactor: boolean;
  @Field(() => Int, { description: 'Recovery codes that have not been used.' }) declare recoveryCodesLeft: number;
  @Field(() => Time) declare createdAt: Date;
}

@InputType({ description: 'What a new account needs.' })
class SignUpInput {
  @RuleField(() => String, { description: 'The e-mail to sign in with.', rule: EMAIL_RULE }) declare email: string;
  @RuleField(() => String, { description: 'At least 8 characters.', rule: PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, { nullable: true, description: 'The name of the new team.', rule: TEAM_NAME_RULE })
  declare teamName?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'From an invitation: the account joins its team, and no new team is created.',
    rule: TOKEN_RULE,
  })
  declare invitationToken?: string | null;
}

@InputType({ description: 'The credentials of an account.' })
class SignInInput {
  @RuleField(() => String, { description: 'The e-mail of the account.', rule: { minLength: 3, maxLength: 320 } })
  declare email: string;
  @RuleField(() => String, { description: 'The password of the account.', rule: GIVEN_PASSWORD_RULE })
  declare password: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The code that the authenticator app shows, or a recovery code; needed after second_factor_required.',
    rule: CODE_RULE,
  })
  declare code?: string | null;
}

@InputType({ description: 'Proof that the e-mail can be read.' })
class ConfirmEmailInput {
  @RuleField(() => String, { description: 'The token of the mailed link.', rule: TOKEN_RULE }) declare token: string;
  @RuleField(() => String, OPTIONAL_PASSWORD) declare password?: string | null;
}

@Resolver()
export class AccountResolver {
  @Query(() => UserType, { nullable: true, description: 'The account that is signed in; null without a session.' })
  async me(@Ctx() { principal }: Context): Promise<Account | null> {
    return principal.kind === 'session' ? readAccount(principal.userId) : null;
  }

  @Mutation(() => UserType, {
    description:
      'Creates an account, as SIGN_UP allows, with a team of its own or by an invitation, and signs it in. Where mail is sent, the account can do nothing until its e-mail is confirmed, and the response does not reveal whether the e-mail has an account already.',
  })
  async signUp(
    @Arg('input', () => SignUpInput, { description: 'The new account.' }) input: SignUpInput,
    @Ctx() context: Context,
  ): Promise<Account | null> {
    const begun = await signUp(input, clientOf(context));
    setSessionCookies(context, begun);
    return readAccount(begun.user.id);
  }

  @Mutation(() => Boolean, {
    description:
      'Confirms the e-mail of an account with the token of a mail, in a session of that account or with its password; the account can be used from then on.',
  })
  async confirmEmail(
    @Arg('input', () => ConfirmEmailInput, { description: 'The proof.' }) input: ConfirmEmailInput,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await confirmEmail(principal, input);
    return true;
  }

  @Mutation(() => Boolean, { description: 'Mails you the link to confirm your e-mail again.' })
  async resendConfirmation(@Ctx() context: Context): Promise<boolean> {
    await resendConfirmation(context.principal, clientOf(context));
    return true;
  }

  @Mutation(() => UserType, { description: 'Begins a session and sets its cookie.' })
  async signIn(
    @Arg('input', () => SignInInput, { description: 'The credentials.' }) input: SignInInput,
    @Ctx() context: Context,
  ): Promise<Account | null> {
    const begun = await signIn(input, clientOf(context));
    setSessionCookies(context, begun);
    return readAccount(begun.user.id);
  }

  @Mutation(() => Boolean, { description: 'Ends the session and clears its cookie.' })
  async signOut(@Ctx() { principal, setSession }: Context): Promise<boolean> {
    await signOut(principal);
    setSession?.(null);
    return true;
  }
}
