import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import {
  changeMemberRole,
  leaveTeam,
  listMembers,
  type Member,
  removeMember,
} from '../../src/accounts/memberService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { ApiKey } from '../../src/models/ApiKey.ts';
import type { Role } from '../../src/models/Membership.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { KeyType } from '../projects/KeyResolver.ts';
import { RuleField } from '../rules.ts';
import { ROLE_RULE } from './accountRules.ts';

@ObjectType('Member', { description: 'A person in a team.' })
class MemberType {
  @Field(() => ID, { description: 'The id of the account.' }) declare userId: string;
  @Field(() => String, { description: 'The e-mail of the account.' }) declare email: string;
  @RuleField(() => String, { description: 'owner, admin, member or viewer.', rule: ROLE_RULE }) declare role: string;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether they sign in with a second factor; null unless you are an owner or admin.',
  })
  declare secondFactor: boolean | null;
  @Field(() => Time, { description: 'When the person joined.' }) declare createdAt: Date;
}

const MemberPageType = pageOf('Member', MemberType);

@ObjectType('EndedMembership', { description: 'What ends with a membership.' })
class EndedMembershipType {
  @Field(() => [KeyType], {
    description: 'Secret keys that the person created, or that were created with these. They end at their expiresAt.',
  })
  declare keys: ApiKey[];
}

@ArgsType()
class MembersArgs extends PageArgs {
  @RuleField(() => ID) declare teamId: string;
}

@ArgsType()
class MemberArgs {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => ID, { description: 'The account of the member.' }) declare userId: string;
}

@ArgsType()
class ChangeMemberRoleArgs extends MemberArgs {
  @RuleField(() => String, { description: 'The new role.', rule: ROLE_RULE }) declare role: string;
}

@Resolver()
export class MemberResolver {
  @Query(() => MemberPageType, { description: 'The members of a team, in the order of joining.' })
  members(
    @Args(() => MembersArgs) { teamId, ...request }: MembersArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Member>> {
    return listMembers(principal, teamId, request);
  }

  @Mutation(() => MemberType, {
    description: 'Changes the role of a member. For owners, and for admins unless an owner is concerned.',
  })
  changeMemberRole(
    @Args(() => ChangeMemberRoleArgs) { teamId, userId, role }: ChangeMemberRoleArgs,
    @Ctx() { principal }: Context,
  ): Promise<Member> {
    return changeMemberRole(principal, { teamId, userId, role: role as Role });
  }

  @Mutation(() => EndedMembershipType, {
    description:
      'Removes a member from a team and returns the keys that end with the membership; keepKey keeps one. For owners, and for admins unless an owner is concerned.',
  })
  async removeMember(
    @Args(() => MemberArgs) { teamId, userId }: MemberArgs,
    @Ctx() { principal }: Context,
  ): Promise<EndedMembershipType> {
    return { keys: await removeMember(principal, teamId, userId) };
  }

  @Mutation(() => EndedMembershipType, {
    description:
      'You leave a team, and the secret keys that you created there end after a while. The last owner cannot leave.',
  })
  async leaveTeam(
    @Arg('teamId', () => ID) teamId: string,
    @Ctx() { principal }: Context,
  ): Promise<EndedMembershipType> {
    return { keys: await leaveTeam(principal, teamId) };
  }
}
