import { Args, ArgsType, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  newRecoveryCodes,
  type SecondFactorSetup,
} from '../../src/accounts/secondFactorService.ts';
import { undoSecondFactor } from '../../src/accounts/secondFactorUndoService.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { CODE_RULE, GIVEN_PASSWORD_RULE, TOKEN_RULE } from './accountRules.ts';

@ObjectType('SecondFactorSetup', { description: 'The secret of an authenticator app, in two forms.' })
class SecondFactorSetupType {
  @Field(() => String, { description: 'In base32, to be typed in.' }) declare secret: string;
  @Field(() => String, { description: 'An otpauth:// URI, to be shown as a QR code.' }) declare uri: string;
}

@ArgsType()
class BeginSecondFactorArgs {
  @RuleField(() => String, { description: 'Your password.', rule: GIVEN_PASSWORD_RULE }) declare password: string;
}

@ArgsType()
class ConfirmSecondFactorArgs {
  @RuleField(() => String, { description: 'The code that the app shows.', rule: CODE_RULE }) declare code: string;
}

@ArgsType()
class ProofArgs {
  @RuleField(() => String, { description: 'Your password.', rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, { description: 'The code that the app shows, or a recovery code.', rule: CODE_RULE })
  declare code: string;
}

@ArgsType()
class SecondFactorTokenArgs {
  @RuleField(() => String, { description: 'The token of the mailed link.', rule: TOKEN_RULE }) declare token: string;
}

@Resolver()
export class SecondFactorResolver {
  @Mutation(() => SecondFactorSetupType, {
    description: 'Returns a secret for an authenticator app; confirmSecondFactor turns the second factor on.',
  })
  beginSecondFactor(
    @Args(() => BeginSecondFactorArgs) { password }: BeginSecondFactorArgs,
    @Ctx() { principal }: Context,
  ): Promise<SecondFactorSetup> {
    return beginSecondFactor(principal, password);
  }

  @Mutation(() => [String], {
    description: 'Turns the second factor on. Returns ten recovery codes, each valid once, which are shown only here.',
  })
  confirmSecondFactor(
    @Args(() => ConfirmSecondFactorArgs) { code }: ConfirmSecondFactorArgs,
    @Ctx() { principal }: Context,
  ): Promise<string[]> {
    return confirmSecondFactor(principal, code);
  }

  @Mutation(() => Boolean, { description: 'Turns the second factor off.' })
  async disableSecondFactor(@Args(() => ProofArgs) proof: ProofArgs, @Ctx() { principal }: Context): Promise<boolean> {
    await disableSecondFactor(principal, proof);
    return true;
  }

  @Mutation(() => Boolean, {
    description:
      'Removes the second factor with the token that was mailed when it was turned on, and every one since. Ends every session of the account.',
  })
  async undoSecondFactor(@Args(() => SecondFactorTokenArgs) { token }: SecondFactorTokenArgs): Promise<boolean> {
    await undoSecondFactor(token);
    return true;
  }

  @Mutation(() => [String], { description: 'Replaces the recovery codes by ten new ones.' })
  newRecoveryCodes(@Args(() => ProofArgs) proof: ProofArgs, @Ctx() { principal }: Context): Promise<string[]> {
    return newRecoveryCodes(principal, proof);
  }
}
