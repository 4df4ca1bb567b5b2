import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { AccountLimitsUse, AccountQuotaUse } from '../../src/access/accountLimits.ts';
import { roleIn, scopesIn } from '../../src/access/authorize.ts';
import { createTeam, findTeam, listTeams, setTeamReadOnly, updateTeam } from '../../src/accounts/teamService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { Team } from '../../src/models/Team.ts';
import { PageArgs, pageOf, SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { ROLES, TEAM_STATUSES } from '../enums.ts';
import { RuleField } from '../rules.ts';
import { TEAM_NAME_RULE } from './accountRules.ts';

@ObjectType('Team', { description: 'A team: its members share projects.' })
export class TeamType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The name of the team.' }) declare name: string;
  @RuleField(() => String, { description: 'active, or read_only in survival mode.', rule: { enum: TEAM_STATUSES } })
  declare status: string;
  @Field(() => String, { nullable: true, description: 'Why nothing can be changed; null while everything can.' })
  declare readOnlyReason: string | null;
  @RuleField(() => String, { description: 'Your role in the team. Keys have none.', rule: { enum: ROLES } })
  declare role: string;
  @Field(() => [String], {
    description: 'What you may do in the team, as scopes. In survival mode nothing can be changed all the same.',
  })
  declare scopes: readonly string[];
  @Field(() => Time, {
    nullable: true,
    description: 'When it is deleted for good, until which it can be restored; null while nobody has deleted it.',
  })
  declare deletionAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('QuotaUse', { description: 'How much of a limit is used.' })
class QuotaUseType implements AccountQuotaUse {
  @Field(() => SafeInt, { description: 'What counts against the limit now.' }) declare used: number;
  @Field(() => SafeInt, { description: 'The most that is allowed.' }) declare limit: number;
  @Field(() => Time, { nullable: true, description: 'From when on more is allowed; null while it is.' })
  declare easesAt: Date | null;
}

@ObjectType('TeamLimits', { description: 'What a new team may do. Links that were deleted count too.' })
class TeamLimitsType implements AccountLimitsUse {
  @Field(() => QuotaUseType, { description: 'Links created in the last hour.' }) declare linksThisHour: QuotaUseType;
  @Field(() => QuotaUseType, { description: 'Links created in the last 24 hours.' }) declare linksToday: QuotaUseType;
}

const TeamPageType = pageOf('Team', TeamType);

@ArgsType()
class CreateTeamArgs {
  @RuleField(() => String, { description: 'The name of the team.', rule: TEAM_NAME_RULE }) declare name: string;
}

@ArgsType()
class UpdateTeamArgs extends CreateTeamArgs {
  @RuleField(() => ID, { description: 'The id of the team.' }) declare id: string;
}

@ArgsType()
class SurvivalModeArgs {
  @RuleField(() => ID) declare teamId: string;
  @RuleField(() => String, {
    description: 'Shown with every refused change.',
    rule: { maxLength: 500, pattern: '\\S', 'x-message': 'Must not be empty.' },
  })
  declare reason: string;
}

@Resolver(() => TeamType)
export class TeamResolver {
  @FieldResolver()
  role(@Root() { id }: Team, @Ctx() { principal }: Context): string | null {
    return roleIn(principal, id);
  }

  @FieldResolver()
  scopes(@Root() { id }: Team, @Ctx() { principal }: Context): readonly string[] {
    return scopesIn(principal, id);
  }

  @FieldResolver(() => TeamLimitsType, {
    nullable: true,
    description: 'What a new team has used of its limits; null for teams without limits.',
  })
  limits(@Root() team: Team, @Ctx() { loaders }: Context): Promise<AccountLimitsUse | null> {
    return loaders.teamLimits.load(team);
  }

  @Query(() => TeamPageType, { description: 'Your teams, newest first.' })
  teams(@Args(() => PageArgs) request: PageArgs, @Ctx() { principal }: Context): Promise<Page<Team>> {
    return listTeams(principal, request);
  }

  @Query(() => TeamType, { description: 'One team; for a key, the team of its project.' })
  team(
    @Arg('id', () => ID, { nullable: true, description: 'The id of the team; needed in a session.' }) id: string | null,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return findTeam(principal, id);
  }

  @Mutation(() => TeamType, {
    description: 'Creates a team of yours with a first project; where sign-up is open, or if you own a team already.',
  })
  createTeam(@Args(() => CreateTeamArgs) { name }: CreateTeamArgs, @Ctx() { principal }: Context): Promise<Team> {
    return createTeam(principal, name);
  }

  @Mutation(() => TeamType, { description: 'Renames a team. For owners and admins.' })
  updateTeam(@Args(() => UpdateTeamArgs) { id, name }: UpdateTeamArgs, @Ctx() { principal }: Context): Promise<Team> {
    return updateTeam(principal, id, name);
  }

  @Mutation(() => TeamType, {
    description:
      'Puts the team into survival mode: it can be read but not changed, and its links go on working. For owners.',
  })
  enterSurvivalMode(
    @Args(() => SurvivalModeArgs) { teamId, reason }: SurvivalModeArgs,
    @Ctx() { principal }: Context,
  ): Promise<Team> {
    return setTeamReadOnly(principal, teamId, reason.trim());
  }

  @Mutation(() => TeamType, { description: 'Ends survival mode. For owners.' })
  leaveSurvivalMode(@Arg('teamId', () => ID) teamId: string, @Ctx() { principal }: Context): Promise<Team> {
    return setTeamReadOnly(principal, teamId, null);
  }
}
