import { Args, ArgsType, Ctx, Field, ID, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { type TracedVisitor, traceLink } from '../../src/links/traceService.ts';
import { DEVICES, PLATFORMS } from '../analyticsEnums.ts';
import { Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { TRACE_OUTCOMES } from '../enums.ts';
import { RuleField } from '../rules.ts';
import { COUNTRY_RULE, LANGUAGE_RULE, REFERRER_HOST_RULE } from './routingSchema.ts';

@ObjectType('TraceStep', { description: 'One step of the router.' })
class TraceStepType {
  @Field(() => String, {
    description:
      'flagged, archived, scheduled, expired, password, the name of a rule or split entry as clicks show it, destination, or for links that open apps open_app.',
  })
  declare rule: string;
  @Field(() => Boolean, {
    description: 'Whether this step decided. The steps password and open_app do not end the trace.',
  })
  declare matched: boolean;
  @Field(() => String, { description: 'The reason as a sentence.' }) declare why: string;
}

@ObjectType('TraceOutcome', { description: 'Where the visitor ends up.' })
class TraceOutcomeType {
  @RuleField(() => String, {
    description:
      'redirect, app (destination is an intent, a store or the fallback of the link, without the token of a click), password (then destination is where the right one leads), not_found, flagged or expired.',
    rule: { enum: TRACE_OUTCOMES },
  })
  declare kind: string;
  @Field(() => String, { nullable: true, description: 'Null: a page.' }) declare destination: string | null;
}

@ObjectType('Trace', { description: 'The way of a visitor through the rules of a link.' })
export class TraceType {
  @Field(() => [TraceStepType], { description: 'Every step, in the order of the router.' })
  declare steps: TraceStepType[];
  @Field(() => TraceOutcomeType, { description: 'Where the visitor ends up.' }) declare outcome: TraceOutcomeType;
}

@ArgsType()
@InputType({ description: 'The visitor whose way through a link is traced.' })
export class VisitorInput implements TracedVisitor {
  @RuleField(() => String, { nullable: true, description: 'Unset: other.', rule: { enum: PLATFORMS } })
  declare platform?: (typeof PLATFORMS)[number];
  @RuleField(() => String, {
    nullable: true,
    description: 'Unset: mobile for ios and android, else desktop.',
    rule: { enum: DEVICES },
  })
  declare device?: (typeof DEVICES)[number];
  @RuleField(() => String, { nullable: true, description: 'Unset: unknown.', rule: COUNTRY_RULE })
  declare country?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The first language that the visitor accepts; unset: unknown.',
    rule: LANGUAGE_RULE,
  })
  declare language?: string;
  @RuleField(() => Time, { nullable: true, description: 'The time of the visit; unset: now.' }) declare at?: Date;
  @RuleField(() => String, {
    nullable: true,
    description: 'The query of the short URL without its `?`, such as `v=2&utm_source=x`, URL-encoded.',
    rule: { maxLength: 8192 },
  })
  declare query?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Unset: unknown.',
    rule: REFERRER_HOST_RULE,
  })
  declare referrerHost?: string;
}

@ArgsType()
class TraceArgs extends VisitorInput {
  @RuleField(() => ID, { description: 'The id of the link, or `ext_` and your own id.' }) declare id: string;
}

@Resolver()
export class TraceResolver {
  @Query(() => TraceType, { description: 'Where the router would send a visitor, and why; records nothing.' })
  traceLink(@Args(() => TraceArgs) { id, ...visitor }: TraceArgs, @Ctx() { principal }: Context): Promise<TraceType> {
    return traceLink(principal, id, visitor);
  }
}
