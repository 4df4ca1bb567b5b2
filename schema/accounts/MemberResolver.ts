import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { ApiKey } from '../../src/models/ApiKey.ts';
import type { Role } from '../../src/models/Membership.ts';
import { changeMemberRole } from '../../src/services/accounts/members/changeMemberRole.ts';
import { listMembers, type Member } from '../../src/services/accounts/members/listMembers.ts';
import { leaveTeam, removeMember } from '../../src/services/accounts/members/removeMember.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { KeyType } from '../keys/KeyType.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { ROLE_RULE } from './accountRules.ts';

@ObjectType('Member')
class MemberType {
  @Field(() => ID) declare userId: string;
  @Field(() => String) declare email: string;
  @Field(() => String, { description: 'owner, admin, member or viewer.' }) declare role: string;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether they sign in with a second factor; null unless you are an owner or admin.',
  })
  declare secondFactor: boolean | null;
  @Field(() => Time) declare createdAt: Date;
}

@ObjectType('MemberPage')
class MemberPageType {
  @Field(() => [MemberType]) declare data: MemberType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('EndedMembership')
class EndedMembershipType {
  @Field(() => [KeyType], {
    description: 'Secret keys that the person made, or that were made with these. They end at their expiresAt.',
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
  @RuleField(() => ID) declare userId: string;
}

@ArgsType()
class ChangeMemberRoleArgs extends MemberArgs {
  @RuleField(() => String, { rule: ROLE_RULE }) declare role: string;
}

@Resolver()
export class MemberResolver {
  @Query(() => MemberPageType, { description: 'Who belongs to a team, in the order of joining.' })
  members(
    @Args(() => MembersArgs) { teamId, ...request }: MembersArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Member>> {
    return listMembers(principal, teamId, request);
  }

  @Mutation(() => MemberType, {
    description: 'Gives a member another role. For owners, and for admins where no owner is concerned.',
  })
  changeMemberRole(
    @Args(() => ChangeMemberRoleArgs) { teamId, userId, role }: ChangeMemberRoleArgs,
    @Ctx() { principal }: Context,
  ): Promise<Member> {
    return changeMemberRole(principal, { teamId, userId, role: role as Role });
  }

  @Mutation(() => EndedMembershipType, {
    description:
      'Takes somebody out of a team, and names the keys that end with it; keepKey keeps one. For owners, and for admins where no owner is concerned.',
  })
  async removeMember(
    @Args(() => MemberArgs) { teamId, userId }: MemberArgs,
    @Ctx() { principal }: Context,
  ): Promise<EndedMembershipType> {
    return { keys: await removeMember(principal, teamId, userId) };
  }

  @Mutation(() => EndedMembershipType, {
    description: 'You leave a team, and secret keys that you made there end after a while; its last owner cannot.',
  })
  async leaveTeam(
    @Arg('teamId', () => ID) teamId: string,
    @Ctx() { principal }: Context,
  ): Promise<EndedMembershipType> {
    return { keys: await leaveTeam(principal, teamId) };
  }
}
