import { Field, ObjectType } from 'type-graphql';

@ObjectType('TraceStep')
export class TraceStepType {
  @Field(() => String, {
    description:
      'flagged, archived, scheduled, expired, password, the name of a rule or split entry as clicks show it, or destination.',
  })
  declare rule: string;
  @Field(() => Boolean, { description: 'Whether it decided; password is met on the way.' }) declare matched: boolean;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
}

@ObjectType('TraceOutcome')
export class TraceOutcomeType {
  @Field(() => String, {
    description: 'redirect, password (then destination is where the right one leads), not_found, flagged or expired.',
  })
  declare kind: string;
  @Field(() => String, { nullable: true, description: 'Null: a page.' }) declare destination: string | null;
}

@ObjectType('Trace')
export class TraceType {
  @Field(() => [TraceStepType], { description: 'Every step in the order of the router.' })
  declare steps: TraceStepType[];
  @Field(() => TraceOutcomeType) declare outcome: TraceOutcomeType;
}
