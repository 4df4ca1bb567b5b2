import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Role } from '../../src/models/Membership.ts';
import { changeMemberRole } from '../../src/services/accounts/members/changeMemberRole.ts';
import { listMembers, type Member } from '../../src/services/accounts/members/listMembers.ts';
import { leaveTeam, removeMember } from '../../src/services/accounts/members/removeMember.ts';
import type { Context } from '../context.ts';
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
  @Query(() => [MemberType], { description: 'Who belongs to a team, in the order of joining.' })
  members(@Arg('teamId', () => ID) teamId: string, @Ctx() { principal }: Context): Promise<Member[]> {
    return listMembers(principal, teamId);
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

  @Mutation(() => Boolean, {
    description: 'Takes somebody out of a team. For owners, and for admins where no owner is concerned.',
  })
  async removeMember(
    @Args(() => MemberArgs) { teamId, userId }: MemberArgs,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await removeMember(principal, teamId, userId);
    return true;
  }

  @Mutation(() => Boolean, { description: 'You leave a team; its last owner cannot.' })
  async leaveTeam(@Arg('teamId', () => ID) teamId: string, @Ctx() { principal }: Context): Promise<boolean> {
    await leaveTeam(principal, teamId);
    return true;
  }
}
