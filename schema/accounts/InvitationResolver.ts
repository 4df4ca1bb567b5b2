import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Invitation } from '../../src/models/Invitation.ts';
import type { Role } from '../../src/models/Membership.ts';
import type { Team } from '../../src/models/Team.ts';
import { acceptInvitation } from '../../src/services/accounts/invitations/acceptInvitation.ts';
import { createInvitation, type ShownInvitation } from '../../src/services/accounts/invitations/createInvitation.ts';
import { listInvitations } from '../../src/services/accounts/invitations/listInvitations.ts';
import { type OfferedRole, readInvitation } from '../../src/services/accounts/invitations/readInvitation.ts';
import { revokeInvitation } from '../../src/services/accounts/invitations/revokeInvitation.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { TeamType } from '../projects/TeamType.ts';
import {
  CreatedInvitationType,
  CreateInvitationInput,
  InvitationPageType,
  InvitationsArgs,
  InvitationTokenArgs,
  OfferedRoleType,
} from './invitationTypes.ts';

@Resolver()
export class InvitationResolver {
  @Query(() => InvitationPageType, {
    description: 'Invitations of a team that were neither accepted nor taken back, newest first.',
  })
  invitations(
    @Args(() => InvitationsArgs) { teamId, ...request }: InvitationsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Invitation>> {
    return listInvitations(principal, teamId, request);
  }

  @Query(() => OfferedRoleType, { description: 'What the holder of that token is invited to.' })
  invitation(@Args(() => InvitationTokenArgs) { token }: InvitationTokenArgs): Promise<OfferedRole> {
    return readInvitation(token);
  }

  @Mutation(() => CreatedInvitationType, {
    description: 'Invites somebody; a former invitation of theirs is void. For owners and admins.',
  })
  createInvitation(
    @Arg('input', () => CreateInvitationInput) input: CreateInvitationInput,
    @Ctx() { principal }: Context,
  ): Promise<ShownInvitation> {
    return createInvitation(principal, { ...input, role: input.role as Role });
  }

  @Mutation(() => Boolean, { description: 'Takes an invitation back. For owners and admins.' })
  async revokeInvitation(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await revokeInvitation(principal, id);
    return true;
  }

  @Mutation(() => TeamType, { description: 'You join the team; the invitation must be for your e-mail.' })
  acceptInvitation(
    @Args(() => InvitationTokenArgs) { token }: InvitationTokenArgs,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return acceptInvitation(principal, token);
  }
}
