import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  type OfferedRole,
  readInvitation,
  revokeInvitation,
  type ShownInvitation,
} from '../../src/accounts/invitationService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { Invitation } from '../../src/models/Invitation.ts';
import type { Role } from '../../src/models/Membership.ts';
import type { Team } from '../../src/models/Team.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { EMAIL_RULE, ROLE_RULE, TOKEN_RULE } from './accountRules.ts';
import { TeamType } from './TeamResolver.ts';

@ObjectType('Invitation', { description: 'An invitation to join a team that is still open.' })
class InvitationType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { description: 'The team that it invites to.' }) declare teamId: string;
  @Field(() => String, { description: 'The e-mail of the invited person.' }) declare email: string;
  @RuleField(() => String, { description: 'owner, admin, member or viewer.', rule: ROLE_RULE }) declare role: string;
  @Field(() => ID, { nullable: true, description: 'The user who sent it.' }) declare invitedBy: string | null;
  @Field(() => Time, { description: 'When the invitation becomes invalid.' }) declare expiresAt: Date;
  @Field(() => Time) declare createdAt: Date;
}

@ObjectType('CreatedInvitation', { description: 'A new invitation with its link.' })
class CreatedInvitationType extends InvitationType {
  @Field(() => String, {
    description: 'The page that accepts it, to hand over where no mail is sent. Shown only here.',
  })
  declare url: string;
  @Field(() => Boolean, { description: 'Whether it is also mailed.' }) declare isMailed: boolean;
}

const InvitationPageType = pageOf('Invitation', InvitationType);

@ObjectType('OfferedRole', { description: 'The team and role that an invitation offers.' })
class OfferedRoleType {
  @Field(() => String, { description: 'The name of the team.' }) declare teamName: string;
  @Field(() => String, { description: 'The e-mail of the invited person.' }) declare email: string;
  @RuleField(() => String, { description: 'The role that the person will have.', rule: ROLE_RULE })
  declare role: string;
  @Field(() => Time, { description: 'When the invitation becomes invalid.' }) declare expiresAt: Date;
}

@InputType({ description: 'Whom to invite, and as what.' })
class CreateInvitationInput {
  @RuleField(() => ID, { description: 'The team to join.' }) declare teamId: string;
  @RuleField(() => String, { description: 'The e-mail of the person.', rule: EMAIL_RULE }) declare email: string;
  @RuleField(() => String, { description: 'Only owners can invite owners.', rule: ROLE_RULE }) declare role: string;
}

@ArgsType()
class InvitationsArgs extends PageArgs {
  @RuleField(() => ID) declare teamId: string;
}

@ArgsType()
class InvitationTokenArgs {
  @RuleField(() => String, { description: "The token of the invitation's link.", rule: TOKEN_RULE })
  declare token: string;
}

@Resolver(() => InvitationType)
export class InvitationResolver {
  @Query(() => InvitationPageType, {
    description: 'The invitations of a team that were neither accepted nor revoked, newest first.',
  })
  invitations(
    @Args(() => InvitationsArgs) { teamId, ...request }: InvitationsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Invitation>> {
    return listInvitations(principal, teamId, request);
  }

  @Query(() => OfferedRoleType, { description: 'The team and role that the token offers.' })
  invitation(@Args(() => InvitationTokenArgs) { token }: InvitationTokenArgs): Promise<OfferedRole> {
    return readInvitation(token);
  }

  @Mutation(() => CreatedInvitationType, {
    description: 'Invites somebody; an earlier invitation of the same person becomes invalid. For owners and admins.',
  })
  createInvitation(
    @Arg('input', () => CreateInvitationInput, { description: 'The new invitation.' }) input: CreateInvitationInput,
    @Ctx() { principal }: Context,
  ): Promise<ShownInvitation> {
    return createInvitation(principal, { ...input, role: input.role as Role });
  }

  @Mutation(() => Boolean, { description: 'Revokes an invitation. For owners and admins.' })
  async revokeInvitation(
    @Arg('id', () => ID, { description: 'The id of the invitation.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await revokeInvitation(principal, id);
    return true;
  }

  @Mutation(() => TeamType, { description: 'Makes you a member of the team; the invitation must be for your e-mail.' })
  acceptInvitation(
    @Args(() => InvitationTokenArgs) { token }: InvitationTokenArgs,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return acceptInvitation(principal, token);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The e-mail of the user who sent it; of a former member, the one with which they left; null once they are deleted.',
  })
  async inviterEmail(@Root() { invitedBy }: Invitation, @Ctx() { loaders }: Context): Promise<string | null> {
    return invitedBy && loaders.actorNames.load(invitedBy);
  }
}
