import { Arg, Args, ArgsType, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Team } from '../../src/models/Team.ts';
import type { Page } from '../../src/services/paging.ts';
import { createTeam } from '../../src/services/projects/createTeam.ts';
import { setTeamReadOnly } from '../../src/services/projects/survivalMode.ts';
import { findTeam, listTeams } from '../../src/services/projects/teams.ts';
import { updateTeam } from '../../src/services/projects/updateTeam.ts';
import { TEAM_NAME_RULE } from '../accounts/accountRules.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { TeamPageType, TeamType } from './TeamType.ts';

@ArgsType()
class CreateTeamArgs {
  @RuleField(() => String, { rule: TEAM_NAME_RULE }) declare name: string;
}

@ArgsType()
class UpdateTeamArgs extends CreateTeamArgs {
  @RuleField(() => ID) declare id: string;
}

@ArgsType()
class SurvivalModeArgs {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => String, {
    description: 'Shown with every refusal.',
    rule: { maxLength: 500, pattern: '\\S', 'x-message': 'Must not be empty.' },
  })
  declare reason: string;
}

@Resolver()
export class TeamResolver {
  @Query(() => TeamPageType, { description: 'Your teams, newest first.' })
  teams(@Args(() => PageArgs) request: PageArgs, @Ctx() { principal }: Context): Promise<Page<Team>> {
    return listTeams(principal, request);
  }

  @Query(() => TeamType, { description: 'One team; for a key, the team of its project.' })
  team(@Arg('id', () => ID, { nullable: true }) id: string | null, @Ctx() { principal }: Context): Promise<Team> {
    return findTeam(principal, id);
  }

  @Mutation(() => TeamType, {
    description: 'One more team of yours, with a first project; where anybody may sign up, or you own a team already.',
  })
  createTeam(@Args(() => CreateTeamArgs) { name }: CreateTeamArgs, @Ctx() { principal }: Context): Promise<Team> {
    return createTeam(principal, name);
  }

  @Mutation(() => TeamType, { description: 'Renames a team. For owners and admins.' })
  updateTeam(@Args(() => UpdateTeamArgs) { id, name }: UpdateTeamArgs, @Ctx() { principal }: Context): Promise<Team> {
    return updateTeam(principal, id, name);
  }

  @Mutation(() => TeamType, {
    description: 'The team can be read but not changed from now on; its links go on working. For owners.',
  })
  enterSurvivalMode(
    @Args(() => SurvivalModeArgs) { teamId, reason }: SurvivalModeArgs,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return setTeamReadOnly(principal, teamId, reason.trim());
  }

  @Mutation(() => TeamType, { description: 'The team can be changed again. For owners.' })
  leaveSurvivalMode(@Arg('teamId', () => ID) teamId: string, @Ctx() { principal }: Context): Promise<Team> {
    return setTeamReadOnly(principal, teamId, null);
  }
}
