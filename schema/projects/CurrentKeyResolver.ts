import { Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { SCOPES } from '../../src/access/scopes.ts';
import { type CurrentKey, findCurrentKey } from '../../src/projects/keyService.ts';
import { Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { TEAM_STATUSES } from '../enums.ts';
import { RuleField } from '../rules.ts';

@ObjectType('ProjectOfKey', { description: 'The project of a key.' })
class ProjectOfKeyType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The name of the project.' }) declare name: string;
  @Field(() => String, { description: 'The host of new links.' }) declare defaultDomain: string;
}

@ObjectType('TeamOfKey', { description: 'The team of a key.' })
class TeamOfKeyType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'The name of the team.' }) declare name: string;
  @RuleField(() => String, { description: 'active, or read_only in survival mode.', rule: { enum: TEAM_STATUSES } })
  declare status: string;
  @Field(() => String, { nullable: true, description: 'Why nothing can be changed; null while everything can.' })
  declare readOnlyReason: string | null;
}

@ObjectType('WriteBudget', { description: 'How many more records assistants may change with a key.' })
class WriteBudgetType {
  @Field(() => Int, { description: 'Records per hour.' }) declare limit: number;
  @Field(() => Int, { description: 'Records that are left.' }) declare remaining: number;
  @Field(() => Int, { description: 'Seconds until the whole limit is available again.' }) declare resetSeconds: number;
}

@ObjectType('CurrentKey', { description: 'The key that a request was made with.' })
class CurrentKeyType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'A name for people.' }) declare name: string;
  @RuleField(() => [String], { description: 'Without wildcards.', rule: { items: { enum: SCOPES } } })
  declare scopes: string[];
  @Field(() => ProjectOfKeyType, { description: 'Its project.' }) declare project: ProjectOfKeyType;
  @Field(() => TeamOfKeyType, { description: 'The team of that project.' }) declare team: TeamOfKeyType;
  @Field(() => Time, { nullable: true, description: 'When it ends; null: it does not.' })
  declare expiresAt: Date | null;
  @Field(() => WriteBudgetType, { description: 'For assistants, through /mcp.' }) declare writeBudget: WriteBudgetType;
}

@Resolver(() => CurrentKeyType)
export class CurrentKeyResolver {
  @Query(() => CurrentKeyType, { description: 'The key that this request was made with. For keys.' })
  currentKey(@Ctx() { principal }: Context): Promise<CurrentKey> {
    return findCurrentKey(principal);
  }
}
