import { Args, ArgsType, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type AnalyticsResult, analytics } from '../../src/analytics/analytics.ts';
import { FILTER_FIELDS, FILTERS } from '../../src/analytics/filterTable.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { Json, SafeInt, Time } from '../scalars.ts';

const EVENTS = ['click', 'install', 'open', 'app_event', 'orphan'];
const GROUPS = ['none', 'time', ...FILTER_FIELDS.map((field) => FILTERS[field].dimension)];
const INTERVALS = ['1h', '24h', '7d', '30d', '90d', '1y', 'all'];
const CURRENCY_SUMS = {
  type: 'array',
  items: {
    'x-name': 'CurrencySum',
    type: 'object',
    properties: { currency: { type: ['string', 'null'] }, sum: { type: 'number' } },
    required: ['currency', 'sum'],
  },
};
const GRANULARITIES = ['minute', 'hour', 'day', 'week', 'month'];
const FILTER = {
  nullable: true,
  description: 'Values separated by commas; with a leading - all but these.',
  rule: { minLength: 1, maxLength: 8192 },
} as const;

@ObjectType('AnalyticsFigures')
class FiguresType {
  @Field(() => SafeInt) declare count: number;
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

@ObjectType('AnalyticsRow')
class RowType extends FiguresType {
  @Field(() => String, { nullable: true, description: 'Null: unknown.' }) declare key: string | null;
}

@ObjectType('Analytics')
class AnalyticsType {
  @RuleField(() => String, { rule: { enum: EVENTS } }) declare event: string;
  @RuleField(() => String, { rule: { enum: GROUPS } }) declare groupBy: string;
  @Field(() => Time) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => String) declare timezone: string;
  @RuleField(() => String, { nullable: true, rule: { enum: GRANULARITIES } }) declare granularity: string | null;
  @Field(() => FiguresType) declare total: FiguresType;
  @Field(() => [RowType]) declare data: RowType[];
  @Field(() => FiguresType, { nullable: true, description: 'The sum of what limit cut off.' })
  declare others: FiguresType | null;
}

@ArgsType()
class AnalyticsArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, rule: { enum: EVENTS } }) declare event?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: GROUPS } }) declare groupBy?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Back from now; 24h when nothing is said.',
    rule: { enum: INTERVALS },
  })
  declare interval?: string;
  @RuleField(() => Time, { nullable: true }) declare start?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Exclusive.' }) declare end?: Date;
  @RuleField(() => String, { nullable: true, rule: { enum: GRANULARITIES } }) declare granularity?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'IANA name; UTC when it is not given.',
    rule: { format: 'timezone', maxLength: 64 },
  })
  declare timezone?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: ['human', 'all', 'bot', 'scanner', 'prefetch'] } })
  declare traffic?: string;
  @RuleField(() => Int, { nullable: true, rule: { minimum: 1, maximum: 1000 } }) declare limit?: number;
  @RuleField(() => String, FILTER) declare country?: string;
  @RuleField(() => String, FILTER) declare region?: string;
  @RuleField(() => String, FILTER) declare city?: string;
  @RuleField(() => String, FILTER) declare platform?: string;
  @RuleField(() => String, FILTER) declare device?: string;
  @RuleField(() => String, FILTER) declare browser?: string;
  @RuleField(() => String, FILTER) declare language?: string;
  @RuleField(() => String, FILTER) declare referrerHost?: string;
  @RuleField(() => String, FILTER) declare link?: string;
  @RuleField(() => String, FILTER) declare tag?: string;
  @RuleField(() => String, FILTER) declare domain?: string;
  @RuleField(() => String, FILTER) declare slug?: string;
  @RuleField(() => String, FILTER) declare destination?: string;
  @RuleField(() => String, FILTER) declare rule?: string;
  @RuleField(() => String, FILTER) declare utmSource?: string;
  @RuleField(() => String, FILTER) declare utmMedium?: string;
  @RuleField(() => String, FILTER) declare utmCampaign?: string;
  @RuleField(() => String, FILTER) declare utmTerm?: string;
  @RuleField(() => String, FILTER) declare utmContent?: string;
  @RuleField(() => String, FILTER) declare trafficClass?: string;
  @RuleField(() => String, FILTER) declare eventName?: string;
  @RuleField(() => String, FILTER) declare appVersion?: string;
}

@Resolver()
export class AnalyticsResolver {
  @Query(() => AnalyticsType, { description: 'What happened in a project, counted, grouped and filtered.' })
  analytics(@Args(() => AnalyticsArgs) args: AnalyticsArgs, @Ctx() { principal }: Context): Promise<AnalyticsResult> {
    return analytics(principal, args);
  }
}
