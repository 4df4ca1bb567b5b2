import { Args, ArgsType, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  beginSecondFactor,
  type SecondFactorSetup,
} from '../../src/services/accounts/secondFactor/beginSecondFactor.ts';
import { confirmSecondFactor } from '../../src/services/accounts/secondFactor/confirmSecondFactor.ts';
import { disableSecondFactor } from '../../src/services/accounts/secondFactor/disableSecondFactor.ts';
import { newRecoveryCodes } from '../../src/services/accounts/secondFactor/newRecoveryCodes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { CODE_RULE, GIVEN_PASSWORD_RULE } from './accountRules.ts';

@ObjectType('SecondFactorSetup', { description: 'What an authenticator app is given.' })
class SecondFactorSetupType {
  @Field(() => String, { description: 'In base32, to be typed.' }) declare secret: string;
  @Field(() => String, { description: 'otpauth://…, to be shown as a QR code.' }) declare uri: string;
}

@ArgsType()
class BeginSecondFactorArgs {
  @RuleField(() => String, { rule: GIVEN_PASSWORD_RULE }) declare password: string;
}

@ArgsType()
class ConfirmSecondFactorArgs {
  @RuleField(() => String, { description: 'What the app shows now.', rule: CODE_RULE }) declare code: string;
}

@ArgsType()
class ProofArgs {
  @RuleField(() => String, { rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, { description: 'Of the app, or a recovery code.', rule: CODE_RULE }) declare code: string;
}

@Resolver()
export class SecondFactorResolver {
  @Mutation(() => SecondFactorSetupType, {
    description: 'Gives a secret for an authenticator app; confirmSecondFactor switches it on.',
  })
  beginSecondFactor(
    @Args(() => BeginSecondFactorArgs) { password }: BeginSecondFactorArgs,
    @Ctx() { principal }: Context,
  ): Promise<SecondFactorSetup> {
    return beginSecondFactor(principal, password);
  }

  @Mutation(() => [String], {
    description:
      'From now on signing in needs the app. Gives ten recovery codes, each good once, that are shown only here.',
  })
  confirmSecondFactor(
    @Args(() => ConfirmSecondFactorArgs) { code }: ConfirmSecondFactorArgs,
    @Ctx() { principal }: Context,
  ): Promise<string[]> {
    return confirmSecondFactor(principal, code);
  }

  @Mutation(() => Boolean, { description: 'From now on signing in needs the password alone.' })
  async disableSecondFactor(@Args(() => ProofArgs) proof: ProofArgs, @Ctx() { principal }: Context): Promise<boolean> {
    await disableSecondFactor(principal, proof);
    return true;
  }

  @Mutation(() => [String], { description: 'Ten new recovery codes in place of the old ones.' })
  newRecoveryCodes(@Args(() => ProofArgs) proof: ProofArgs, @Ctx() { principal }: Context): Promise<string[]> {
    return newRecoveryCodes(principal, proof);
  }
}
