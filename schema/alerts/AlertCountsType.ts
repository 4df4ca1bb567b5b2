import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('AlertCounts', { description: 'Alerts that are neither acknowledged nor resolved.' })
export class AlertCountsType {
  @Field(() => Int) declare info: number;
  @Field(() => Int) declare warning: number;
  @Field(() => Int) declare critical: number;
}
