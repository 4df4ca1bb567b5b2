import { Args, ArgsType, Ctx, Mutation, Resolver } from 'type-graphql';
import { changePassword, requestPasswordReset, resetPassword } from '../../src/accounts/accountService.ts';
import { type Context, clientOf } from '../context.ts';
import { RuleField } from '../rules.ts';
import { EMAIL_RULE, GIVEN_PASSWORD_RULE, OPTIONAL_CODE, PASSWORD_RULE, TOKEN_RULE } from './accountRules.ts';

@ArgsType()
class RequestPasswordResetArgs {
  @RuleField(() => String, { description: 'The e-mail of the account.', rule: EMAIL_RULE }) declare email: string;
}

@ArgsType()
class ResetPasswordArgs {
  @RuleField(() => String, { description: 'The token of the mailed link.', rule: TOKEN_RULE }) declare token: string;
  @RuleField(() => String, { description: 'The new password: at least 8 characters.', rule: PASSWORD_RULE })
  declare password: string;
}

@ArgsType()
class ChangePasswordArgs {
  @RuleField(() => String, { description: 'The password until now.', rule: GIVEN_PASSWORD_RULE })
  declare currentPassword: string;
  @RuleField(() => String, { description: 'The new password: at least 8 characters.', rule: PASSWORD_RULE })
  declare password: string;
  @RuleField(() => String, OPTIONAL_CODE) declare code?: string | null;
}

@Resolver()
export class PasswordResolver {
  @Mutation(() => Boolean, {
    description: 'Mails a link to set a new password, if there is such an account; the response is always true.',
  })
  async requestPasswordReset(
    @Args(() => RequestPasswordResetArgs) { email }: RequestPasswordResetArgs,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await requestPasswordReset(email, clientOf(context));
    return true;
  }

  @Mutation(() => Boolean, {
    description: 'Sets a new password with the token of a mailed link and ends every session of the account.',
  })
  async resetPassword(
    @Args(() => ResetPasswordArgs) input: ResetPasswordArgs,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await resetPassword(input, clientOf(context));
    return true;
  }

  @Mutation(() => Boolean, { description: 'Sets a new password and ends every other session of yours.' })
  async changePassword(
    @Args(() => ChangePasswordArgs) input: ChangePasswordArgs,
    @Ctx() context: Context,
  ): Promise<boolean> {
    context.setKnownBrowsers?.(await changePassword(context.principal, input, clientOf(context)));
    return true;
  }
}
