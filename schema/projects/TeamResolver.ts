import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Team } from '../../src/models/Team.ts';
import { setTeamReadOnly } from '../../src/services/projects/survivalMode.ts';
import { findTeam, listMembers, listTeams, type Member } from '../../src/services/projects/teams.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';

@ObjectType('Team')
class TeamType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare name: string;
  @Field(() => String, { description: 'active, or read_only in survival mode.' }) declare status: string;
  @Field(() => String, { nullable: true }) declare readOnlyReason: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('Member')
class MemberType {
  @Field(() => ID) declare userId: string;
  @Field(() => String) declare email: string;
  @Field(() => String, { description: 'owner, admin, member or viewer.' }) declare role: string;
  @Field(() => Time) declare createdAt: Date;
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
  @Query(() => [TeamType], { description: 'Your teams.' })
  teams(@Ctx() { principal }: Context): Promise<Team[]> {
    return listTeams(principal);
  }

  @Query(() => TeamType, { description: 'One team; for a key, the team of its project.' })
  team(@Arg('id', () => ID, { nullable: true }) id: string | null, @Ctx() { principal }: Context): Promise<Team> {
    return findTeam(principal, id);
  }

  @Query(() => [MemberType])
  members(@Arg('teamId', () => ID) teamId: string, @Ctx() { principal }: Context): Promise<Member[]> {
    return listMembers(principal, teamId);
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
