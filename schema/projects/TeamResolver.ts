import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import type { Team } from '../../src/models/Team.ts';
import { findTeam, listMembers, listTeams, type Member } from '../../src/services/projects/teams.ts';
import type { Context } from '../context.ts';
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
}
