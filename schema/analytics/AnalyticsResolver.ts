import { Args, ArgsType, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type AnalyticsResult, analytics } from '../../src/analytics/analytics.ts';
import type { Context } from '../context.ts';
import { type Rule, RuleField } from '../rules.ts';
import { Json, SafeInt, Time } from '../scalars.ts';

const GROUPS = ['none', 'time', 'country', 'device', 'browser', 'platform', 'referrer_host', 'link'];
const INTERVALS = ['1h', '24h', '7d', '30d', '90d', '1y', 'all'];
const GRANULARITIES = ['minute', 'hour', 'day', 'week', 'month'];
const FILTER: Rule = { minLength: 1, maxLength: 2000 };
const FILTER_ABOUT = 'Values separated by commas; with a leading - all but these.';

@ObjectType('AnalyticsFigures')
class FiguresType {
  @Field(() => SafeInt) declare count: number;
  @Field(() => SafeInt, { description: "The sum of each UTC day's distinct visitors." }) declare unique: number;
  @Field(() => Json, { nullable: true, description: 'Sums by currency, for app events.' }) declare values: unknown;
}

@ObjectType('AnalyticsRow')
class RowType extends FiguresType {
  @Field(() => String, { nullable: true, description: 'Null: unknown.' }) declare key: string | null;
}

@ObjectType('Analytics')
class AnalyticsType {
  @Field(() => String) declare event: string;
  @Field(() => String) declare groupBy: string;
  @Field(() => Time) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => String) declare timezone: string;
  @Field(() => String, { nullable: true }) declare granularity: string | null;
  @Field(() => FiguresType) declare total: FiguresType;
  @Field(() => [RowType]) declare data: RowType[];
  @Field(() => FiguresType, { nullable: true, description: 'The sum of what limit cut off.' })
  declare others: FiguresType | null;
}

@ArgsType()
class AnalyticsArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, rule: { enum: ['click'] } }) declare event?: string;
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
  @RuleField(() => String, { nullable: true, description: FILTER_ABOUT, rule: FILTER }) declare country?: string;
  @RuleField(() => String, { nullable: true, description: FILTER_ABOUT, rule: FILTER }) declare device?: string;
  @RuleField(() => String, { nullable: true, description: FILTER_ABOUT, rule: FILTER }) declare browser?: string;
  @RuleField(() => String, { nullable: true, description: FILTER_ABOUT, rule: FILTER }) declare platform?: string;
  @RuleField(() => String, { nullable: true, description: FILTER_ABOUT, rule: FILTER }) declare referrerHost?: string;
  @RuleField(() => String, { nullable: true, description: FILTER_ABOUT, rule: FILTER }) declare link?: string;
}

@Resolver()
export class AnalyticsResolver {
  @Query(() => AnalyticsType, { description: 'Clicks counted, grouped and filtered.' })
  analytics(@Args(() => AnalyticsArgs) args: AnalyticsArgs, @Ctx() { principal }: Context): Promise<AnalyticsResult> {
    return analytics(principal, args);
  }
}
