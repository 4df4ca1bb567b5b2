import { Field, ObjectType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { TRACE_OUTCOMES } from '../words.ts';

@ObjectType('TraceStep')
export class TraceStepType {
  @Field(() => String, {
    description:
      'flagged, archived, scheduled, expired, password, the name of a rule or split entry as clicks show it, destination, or for links that open apps open_app.',
  })
  declare rule: string;
  @Field(() => Boolean, { description: 'Whether it decided; password is met on the way, open_app comes after all.' })
  declare matched: boolean;
  @Field(() => String, { description: 'A sentence for people.' }) declare why: string;
}

@ObjectType('TraceOutcome')
export class TraceOutcomeType {
  @RuleField(() => String, {
    description:
      'redirect, app (destination is an intent, a store or the fallback of the link, without the token of a click), password (then destination is where the right one leads), not_found, flagged or expired.',
    rule: { enum: TRACE_OUTCOMES },
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
