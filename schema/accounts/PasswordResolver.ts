import { Args, ArgsType, Ctx, Mutation, Resolver } from 'type-graphql';
import { changePassword } from '../../src/services/accounts/changePassword.ts';
import { requestPasswordReset } from '../../src/services/accounts/requestPasswordReset.ts';
import { resetPassword } from '../../src/services/accounts/resetPassword.ts';
import { type Context, clientOf } from '../context.ts';
import { RuleField } from '../rules.ts';
import { EMAIL_RULE, GIVEN_PASSWORD_RULE, PASSWORD_RULE, TOKEN_RULE } from './accountRules.ts';

@ArgsType()
class RequestPasswordResetArgs {
  @RuleField(() => String, { rule: EMAIL_RULE }) declare email: string;
}

@ArgsType()
class ResetPasswordArgs {
  @RuleField(() => String, { rule: TOKEN_RULE }) declare token: string;
  @RuleField(() => String, { rule: PASSWORD_RULE }) declare password: string;
}

@ArgsType()
class ChangePasswordArgs {
  @RuleField(() => String, { rule: GIVEN_PASSWORD_RULE }) declare currentPassword: string;
  @RuleField(() => String, { rule: PASSWORD_RULE }) declare password: string;
}

@Resolver()
export class PasswordResolver {
  @Mutation(() => Boolean, {
    description: 'Has a link to set a new password mailed, if there is such an account; the answer is always true.',
  })
  async requestPasswordReset(
    @Args(() => RequestPasswordResetArgs) { email }: RequestPasswordResetArgs,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await requestPasswordReset(email, clientOf(context));
    return true;
  }

  @Mutation(() => Boolean, {
    description: 'Sets a new password with the token of such a link, and ends every session of the account.',
  })
  async resetPassword(
    @Args(() => ResetPasswordArgs) input: ResetPasswordArgs,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await resetPassword(input, clientOf(context));
    return true;
  }

  @Mutation(() => Boolean, { description: 'Sets a new password, and ends every other session.' })
  async changePassword(
    @Args(() => ChangePasswordArgs) input: ChangePasswordArgs,
    @Ctx() context: Context,
  ): Promise<boolean> {
    context.setKnownBrowsers?.(await changePassword(context.principal, input, clientOf(context)));
    return true;
  }
}
