import { Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type Account, readAccount } from '../../src/accounts/accountService.ts';
import {
  type AccountContents,
  type AccountDeletion,
  deleteAccount,
  readAccountContents,
  restoreAccount,
} from '../../src/deletion/accountDeletionService.ts';
import { UserType } from '../accounts/AccountResolver.ts';
import { GIVEN_PASSWORD_RULE, OPTIONAL_CODE, ROLE_RULE } from '../accounts/accountRules.ts';
import { SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';

@ObjectType('AccountTeam', { description: 'What you have in a team, and would leave with your account.' })
class AccountTeamType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The name of the team.' }) declare name: string;
  @RuleField(() => String, { description: 'Your role in the team.', rule: ROLE_RULE }) declare role: string;
  @Field(() => Boolean, {
    description: 'Whether nobody else owns the team. If it has other members, the account cannot be deleted.',
  })
  declare isSoleOwner: boolean;
  @Field(() => Boolean, { description: 'Whether the team has no other member: it is deleted with the account.' })
  declare isOnlyMember: boolean;
  @Field(() => SafeInt, { description: 'Secret keys that you made, or that were made with these, and that end.' })
  declare keys: number;
  @Field(() => SafeInt, { description: 'Webhooks that you made, or pointed at their URL, and that go on.' })
  declare webhooks: number;
}

@ObjectType('AccountContents', { description: 'What you would leave if you deleted your account.' })
class AccountContentsType {
  @Field(() => [AccountTeamType], { description: 'Your teams, newest first.' }) declare teams: AccountContents['teams'];
}

@ObjectType('AccountDeletion', { description: 'A deleted account.' })
class AccountDeletionType extends AccountContentsType {
  @Field(() => Time, { description: 'When it is deleted for good; until then you can sign in and restore it.' })
  declare deletionAt: Date;
}

@ArgsType()
class DeleteAccountArgs {
  @RuleField(() => String, { description: 'Your password.', rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, OPTIONAL_CODE) declare code?: string | null;
}

@Resolver()
export class AccountDeletionResolver {
  @Query(() => AccountContentsType, { description: 'What you would leave if you deleted your account.' })
  accountContents(@Ctx() { principal }: Context): Promise<AccountContents> {
    return readAccountContents(principal);
  }

  @Mutation(() => AccountDeletionType, {
    description:
      'Deletes your account: you leave your teams, and all of your sessions end. Links and everything else that you made stay. Refused for the only owner of a team with other members, and for the last account of the installation.',
  })
  async deleteAccount(
    @Args(() => DeleteAccountArgs) proof: DeleteAccountArgs,
    @Ctx() { principal, setSession }: Context,
  ): Promise<AccountDeletion> {
    const deletion = await deleteAccount(principal, proof);
    setSession?.(null);
    return deletion;
  }

  @Mutation(() => UserType, {
    description:
      'Restores your deleted account, with your roles in the teams that still exist and the keys that have not ended yet.',
  })
  async restoreAccount(@Ctx() { principal }: Context): Promise<Account | null> {
    return readAccount(await restoreAccount(principal));
  }
}
