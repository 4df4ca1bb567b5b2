import { Args, ArgsType, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import {
  ANALYTICS_CHOICES,
  type AnalyticsInput,
  type AnalyticsResult,
  readAnalytics,
} from '../../src/analytics/analyticsService.ts';
import { ANALYTICS_EVENTS, ANALYTICS_GROUPS, GRANULARITIES, TRAFFIC } from '../analyticsEnums.ts';
import { Json, SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';

const { intervals, filters } = ANALYTICS_CHOICES;
const CURRENCY_SUMS = {
  type: 'array',
  items: {
    'x-name': 'CurrencySum',
    type: 'object',
    properties: { currency: { type: ['string', 'null'] }, sum: { type: 'number' } },
    required: ['currency', 'sum'],
  },
};
const FILTER = {
  nullable: true,
  description: 'Values separated by commas; with a leading - all but these.',
  rule: { minLength: 1, maxLength: 8192 },
} as const;

@ObjectType('AnalyticsFigures', { description: 'Figures of a group or of everything.' })
class FiguresType {
  @Field(() => SafeInt, { description: 'The number of events.' }) declare count: number;
  @Field(() => SafeInt, { description: "The sum of each UTC day's distinct visitors; of apps: installs." })
  declare unique: number;
  @RuleField(() => Json, {
    nullable: true,
    description:
      'For app events alone: a list of `{currency, sum}`, exact sums of their values by currency; null for values without one.',
    rule: { schema: CURRENCY_SUMS },
  })
  declare values: unknown;
}

@ObjectType('AnalyticsRow', { description: 'The figures of one group.' })
class RowType extends FiguresType {
  @Field(() => String, { nullable: true, description: 'Null: unknown.' }) declare key: string | null;
}

@ObjectType('Analytics', { description: 'The answer to an analytics query, with the query as it was understood.' })
class AnalyticsType {
  @RuleField(() => String, { description: 'What was counted.', rule: { enum: ANALYTICS_EVENTS } })
  declare event: string;
  @RuleField(() => String, { description: 'What the rows are grouped by.', rule: { enum: ANALYTICS_GROUPS } })
  declare groupBy: string;
  @Field(() => Time, { description: 'Inclusive.' }) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => String, { description: 'The IANA time zone of the days and hours.' }) declare timezone: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The length of a row in time; null unless grouped by time.',
    rule: { enum: GRANULARITIES },
  })
  declare granularity: string | null;
  @Field(() => FiguresType, { description: 'The figures of everything that matched.' }) declare total: FiguresType;
  @Field(() => [RowType], {
    description: 'The groups: in the order of time, else the largest first; empty when grouped by none.',
  })
  declare data: RowType[];
  @Field(() => FiguresType, { nullable: true, description: 'The sum of what limit cut off.' })
  declare others: FiguresType | null;
}

@ArgsType()
class AnalyticsArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'What is counted; click when nothing is said.',
    rule: { enum: ANALYTICS_EVENTS },
  })
  declare event?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'What the rows are grouped by; none, only a total, when nothing is said.',
    rule: { enum: ANALYTICS_GROUPS },
  })
  declare groupBy?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Back from now; 24h when nothing is said.',
    rule: { enum: intervals },
  })
  declare interval?: string;
  @RuleField(() => Time, { nullable: true, description: 'Inclusive; in the place of interval.' }) declare start?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Exclusive.' }) declare end?: Date;
  @RuleField(() => String, {
    nullable: true,
    description: 'The length of a row when grouped by time; it follows from the range when nothing is said.',
    rule: { enum: GRANULARITIES },
  })
  declare granularity?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'IANA name; UTC when it is not given.',
    rule: { format: 'timezone', maxLength: 64 },
  })
  declare timezone?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Whose clicks are counted; human when nothing is said, or all where classes are grouped or filtered.',
    rule: { enum: TRAFFIC },
  })
  declare traffic?: string;
  @RuleField(() => Int, {
    nullable: true,
    description: 'The most rows, 100 when nothing is said; others has the sum of the rest.',
    rule: { minimum: 1, maximum: 1000 },
  })
  declare limit?: number;
}
// Every dimension is a filter of its own.
for (const field of filters) RuleField(() => String, FILTER)(AnalyticsArgs.prototype, field);

@Resolver()
export class AnalyticsResolver {
  @Query(() => AnalyticsType, { description: 'What happened in a project, counted, grouped and filtered.' })
  analytics(@Args(() => AnalyticsArgs) args: AnalyticsInput, @Ctx() { principal }: Context): Promise<AnalyticsResult> {
    return readAnalytics(principal, args);
  }
}
