import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import {
  type Contents,
  deleteProject,
  listDeletedProjects,
  projectContents,
  restoreProject,
} from '../../src/deletion/projectDeletionService.ts';
import { deleteTeam, listDeletedTeams, restoreTeam, teamContents } from '../../src/deletion/teamDeletionService.ts';
import type { Project } from '../../src/models/Project.ts';
import type { Team } from '../../src/models/Team.ts';
import { GIVEN_PASSWORD_RULE, OPTIONAL_CODE } from '../accounts/accountRules.ts';
import { TeamType } from '../accounts/TeamResolver.ts';
import { PageArgs, SafeInt } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import { ProjectPageType, ProjectType } from '../projects/ProjectResolver.ts';
import { RuleField } from '../rules.ts';

@ObjectType('Contents', { description: 'How much would be deleted with a project or team.' })
class ContentsType implements Contents {
  @Field(() => SafeInt, { description: 'Projects; 1 for a project.' }) declare projects: number;
  @Field(() => SafeInt, { description: 'Links, archived ones too.' }) declare links: number;
  @Field(() => SafeInt, { description: 'Domains.' }) declare domains: number;
  @Field(() => SafeInt, { description: 'Webhooks; for a team also those of the whole team.' })
  declare webhooks: number;
  @Field(() => SafeInt, { description: 'Keys that work.' }) declare keys: number;
  @Field(() => SafeInt, { description: 'Members of the team; 0 for a project.' }) declare members: number;
  @Field(() => SafeInt, { description: 'Installs of apps.' }) declare installs: number;
  @Field(() => SafeInt, { description: 'Clicks of all kinds of traffic since the beginning.' })
  declare clicks: number;
}

@ArgsType()
class DeleteProjectArgs {
  @RuleField(() => ID, { description: 'The id of the project.' }) declare id: string;
  @RuleField(() => String, { description: 'Your password.', rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, OPTIONAL_CODE) declare code?: string | null;
}

@ArgsType()
class DeleteTeamArgs {
  @RuleField(() => ID, { description: 'The id of the team.' }) declare id: string;
  @RuleField(() => String, { description: 'Your password.', rule: GIVEN_PASSWORD_RULE }) declare password: string;
  @RuleField(() => String, OPTIONAL_CODE) declare code?: string | null;
}

@ArgsType()
class DeletedProjectsArgs extends PageArgs {
  @RuleField(() => ID, { description: 'The id of the team.' }) declare teamId: string;
}

@Resolver()
export class DeletionResolver {
  @Query(() => ContentsType, { description: 'What would be deleted with a project. For owners and admins.' })
  projectContents(
    @Arg('id', () => ID, { description: 'The id of the project.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Contents> {
    return projectContents(principal, id);
  }

  @Query(() => ContentsType, { description: 'What would be deleted with a team. For owners.' })
  teamContents(
    @Arg('id', () => ID, { description: 'The id of the team.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Contents> {
    return teamContents(principal, id);
  }

  @DryRun()
  @Mutation(() => ProjectType, {
    description:
      'Deletes a project with everything in it. It stops working at once, and can be restored until its deletionAt. For owners and admins.',
  })
  deleteProject(
    @Args(() => DeleteProjectArgs) { id, ...proof }: DeleteProjectArgs,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return deleteProject(principal, id, proof);
  }

  @DryRun()
  @Mutation(() => ProjectType, {
    description: 'Restores a deleted project with everything in it; in survival mode too. For owners and admins.',
  })
  restoreProject(
    @Arg('id', () => ID, { description: 'The id of the project.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Project> {
    return restoreProject(principal, id);
  }

  @DryRun()
  @Mutation(() => TeamType, {
    description:
      'Deletes a team with all of its projects. It stops working at once, and can be restored until its deletionAt. For owners.',
  })
  deleteTeam(
    @Args(() => DeleteTeamArgs) { id, ...proof }: DeleteTeamArgs,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return deleteTeam(principal, id, proof);
  }

  @DryRun()
  @Mutation(() => TeamType, {
    description:
      'Restores a deleted team with the projects that were deleted with it; in survival mode too. For owners.',
  })
  restoreTeam(
    @Arg('id', () => ID, { description: 'The id of the team.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return restoreTeam(principal, id);
  }

  @Query(() => ProjectPageType, {
    description: 'The deleted projects of a team that can be restored, newest first. For owners and admins.',
  })
  deletedProjects(
    @Args(() => DeletedProjectsArgs) args: DeletedProjectsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Project>> {
    return listDeletedProjects(principal, args);
  }

  @Query(() => [TeamType], { description: 'The deleted teams that you own and can restore, newest first.' })
  deletedTeams(@Ctx() { principal }: Context): Promise<Team[]> {
    return listDeletedTeams(principal);
  }
}
