import { Field, ID, ObjectType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { TEAM_STATUSES } from '../words.ts';

@ObjectType('Team')
export class TeamType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare name: string;
  @RuleField(() => String, { description: 'active, or read_only in survival mode.', rule: { enum: TEAM_STATUSES } })
  declare status: string;
  @Field(() => String, { nullable: true }) declare readOnlyReason: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('TeamPage')
export class TeamPageType {
  @Field(() => [TeamType]) declare data: TeamType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}
