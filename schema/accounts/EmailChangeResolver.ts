import { Args, ArgsType, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { type Account, readAccount } from '../../src/accounts/accountService.ts';
import {
  cancelEmailChange,
  changeEmail,
  confirmEmailChange,
  type RequestedChange,
  undoEmailChange,
} from '../../src/accounts/emailChangeService.ts';
import { Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { UserType } from './AccountResolver.ts';
import { EMAIL_RULE, GIVEN_PASSWORD_RULE, OPTIONAL_CODE, OPTIONAL_PASSWORD, TOKEN_RULE } from './accountRules.ts';

@ObjectType('EmailChange', { description: 'A change of the e-mail of an account.' })
class EmailChangeType {
  @Field(() => String, { description: 'The e-mail that the account has now.' }) declare email: string;
  @Field(() => String, {
    nullable: true,
    description:
      'The new e-mail, to which the link that makes the change was mailed; null where the change was made at once because no mail is sent.',
  })
  declare sentTo: string | null;
  @Field(() => Time, { nullable: true, description: 'When the change was made; null until it is confirmed.' })
  declare changedAt: Date | null;
  @Field(() => Time, {
    nullable: true,
    description: 'Until when the link that is mailed to the former e-mail undoes the change; null without such a mail.',
  })
  declare undoUntil: Date | null;
}

@ArgsType()
class ChangeEmailArgs {
  @RuleField(() => String, { description: 'The new e-mail.', rule: EMAIL_RULE }) declare email: string;
  @RuleField(() => String, { description: 'Your password.', rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, OPTIONAL_CODE) declare code?: string | null;
}

@ArgsType()
class EmailChangeTokenArgs {
  @RuleField(() => String, { description: 'The token of the mailed link.', rule: TOKEN_RULE }) declare token: string;
}

@ArgsType()
class ConfirmEmailChangeArgs extends EmailChangeTokenArgs {
  @RuleField(() => String, OPTIONAL_PASSWORD) declare password?: string | null;
}

@Resolver()
export class EmailChangeResolver {
  @Mutation(() => EmailChangeType, {
    description:
      'Changes your e-mail. Where mail is sent, a link is mailed to the new one, and nothing changes until confirmEmailChange; the answer does not reveal whether the new one has an account.',
  })
  changeEmail(
    @Args(() => ChangeEmailArgs) input: ChangeEmailArgs,
    @Ctx() { principal }: Context,
  ): Promise<RequestedChange> {
    return changeEmail(principal, input);
  }

  @Mutation(() => UserType, {
    description:
      'Makes the change with the token that was mailed to the new e-mail, in a session of the account or with its password; sessions go on. The former e-mail gets a link to undo it.',
  })
  async confirmEmailChange(
    @Args(() => ConfirmEmailChangeArgs) proof: ConfirmEmailChangeArgs,
    @Ctx() { principal }: Context,
  ): Promise<Account | null> {
    return readAccount(await confirmEmailChange(principal, proof));
  }

  @Mutation(() => UserType, { description: 'Withdraws a change of your e-mail that waits to be confirmed.' })
  async cancelEmailChange(@Ctx() { principal }: Context): Promise<Account | null> {
    return readAccount(await cancelEmailChange(principal));
  }

  @Mutation(() => Boolean, {
    description:
      'Restores the former e-mail with the token that was mailed to it, ends every session of the account, and cancels later changes and a second factor that was turned on since.',
  })
  async undoEmailChange(@Args(() => EmailChangeTokenArgs) { token }: EmailChangeTokenArgs): Promise<boolean> {
    await undoEmailChange(token);
    return true;
  }
}
