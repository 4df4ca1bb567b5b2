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
import type { Webhook } from '../../src/models/Webhook.ts';
import { disableWebhooksOfMember } from '../../src/webhooks/memberWebhookService.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { KeyType } from '../projects/KeyResolver.ts';
import { RuleField } from '../rules.ts';
import { WebhookType } from '../webhooks/webhookTypes.ts';
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
  @Field(() => Time, {
    nullable: true,
    description:
      'Until when somebody who has deleted their account may restore it and come back, with that role; null for members. Only owners and admins see such people.',
  })
  declare mayReturnUntil: Date | null;
  @Field(() => Time, { description: 'When the person joined.' }) declare createdAt: Date;
}

const MemberPageType = pageOf('Member', MemberType);

@ObjectType('EndedMembership', { description: 'What ends with a membership.' })
class EndedMembershipType {
  @Field(() => [KeyType], {
    description: 'Secret keys that the person created, or that were created with these. They end at their expiresAt.',
  })
  declare keys: ApiKey[];
  @Field(() => [WebhookType], {
    description: 'Webhooks that still send events where the person said; disableWebhooksOfMember disables all of them.',
  })
  declare webhooks: Webhook[];
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
  @Query(() => MemberPageType, {
    description:
      'The members of a team, in the order of joining; for owners and admins also those who have deleted their account and may come back.',
  })
  members(
    @Args(() => MembersArgs) { teamId, ...request }: MembersArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Member>> {
    return listMembers(principal, teamId, request);
  }

  @Mutation(() => MemberType, {
    description:
      'Changes the role of a member, or the one with which somebody may come back. For owners, and for admins unless an owner is concerned.',
  })
  changeMemberRole(
    @Args(() => ChangeMemberRoleArgs) { teamId, userId, role }: ChangeMemberRoleArgs,
    @Ctx() { principal }: Context,
  ): Promise<Member> {
    return changeMemberRole(principal, { teamId, userId, role: role as Role });
  }

  @Mutation(() => EndedMembershipType, {
    description:
      'Removes a member from a team, or ends the right of somebody to come back. Returns the keys that end with the membership, of which keepKey keeps one, and webhooks that go on. For owners, and for admins unless an owner is concerned.',
  })
  removeMember(
    @Args(() => MemberArgs) { teamId, userId }: MemberArgs,
    @Ctx() { principal }: Context,
  ): Promise<EndedMembershipType> {
    return removeMember(principal, teamId, userId);
  }

  @Mutation(() => EndedMembershipType, {
    description:
      'You leave a team, and the secret keys that you created there end after a while. The last owner cannot leave.',
  })
  leaveTeam(@Arg('teamId', () => ID) teamId: string, @Ctx() { principal }: Context): Promise<EndedMembershipType> {
    return leaveTeam(principal, teamId);
  }

  @Mutation(() => [WebhookType], {
    description:
      'Disables the webhooks of a team that a person, a member or not, created or pointed at their URL, also with keys of theirs. Returns those that were enabled. For owners and admins.',
  })
  disableWebhooksOfMember(
    @Args(() => MemberArgs) { teamId, userId }: MemberArgs,
    @Ctx() { principal }: Context,
  ): Promise<Webhook[]> {
    return disableWebhooksOfMember(principal, teamId, userId);
  }
}
