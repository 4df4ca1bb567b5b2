import { Field, ObjectType } from 'type-graphql';
import { ANALYTICS_EVENTS, ANALYTICS_GROUPS, GRANULARITIES } from '../analyticsEnums.ts';
import { Json, SafeInt, Time } from '../commonTypes.ts';
import { RuleField } from '../rules.ts';

const CURRENCY_SUMS = {
  type: 'array',
  items: {
    'x-name': 'CurrencySum',
    type: 'object',
    properties: { currency: { type: ['string', 'null'] }, sum: { type: 'number' } },
    required: ['currency', 'sum'],
  },
};

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
export class RowType extends FiguresType {
  @Field(() => String, { nullable: true, description: 'Null: unknown.' }) declare key: string | null;
}

@ObjectType('Analytics', { description: 'The answer to an analytics query, with the query as it was understood.' })
export class AnalyticsType {
  @RuleField(() => String, { description: 'What was counted.', rule: { enum: ANALYTICS_EVENTS } })
  declare event: string;
  @RuleField(() => String, { description: 'What the rows are grouped by.', rule: { enum: ANALYTICS_GROUPS } })
  declare groupBy: string;
  @Field(() => Time, { description: 'Inclusive.' }) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => String, { description: 'The IANA time zone of the days and hours.' }) declare timezone: string;
  @Field(() => Time, {
    nullable: true,
    description:
      'Null: every click is in the answer. Otherwise so many wait to be counted, as after an outage, that the answer has every click up to this moment, and of later ones those that are counted.',
  })
  declare asOf: Date | null;
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
  @Field(() => Time, {
    nullable: true,
    description:
      'The start of the period before; null without compare, and where it would be before 1970. It is as long and ends at start. A range that begins with a day of the time zone is moved by the days that it has begun: whole days are compared with whole days, a month with as many days before it, and today until now with yesterday until this time.',
  })
  declare previousStart: Date | null;
  @Field(() => Time, { nullable: true, description: 'The end of the period before, exclusive.' })
  declare previousEnd: Date | null;
  @Field(() => FiguresType, {
    nullable: true,
    description: 'The figures of everything that matched in the period before.',
  })
  declare previous: FiguresType | null;
  @Field(() => [RowType], {
    nullable: true,
    description:
      'The rows of the period before, in the order of time; the first of them stands beside the first of data. Null without compare, and unless grouped by time.',
  })
  declare previousData: RowType[] | null;
}
