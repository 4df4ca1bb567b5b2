import { ArgsType, ID, Int } from 'type-graphql';
import { ANALYTICS_CHOICES, type Group } from '../../src/analytics/analyticsService.ts';
import { ANALYTICS_EVENTS, ANALYTICS_FILTERS, ANALYTICS_GROUPS, GRANULARITIES, TRAFFIC } from '../analyticsEnums.ts';
import { Time } from '../commonTypes.ts';
import { RuleField } from '../rules.ts';
import { FILTER } from './filterRule.ts';

const { intervals } = ANALYTICS_CHOICES;
/** As many as there are ways to group. */
const MOST_GROUPINGS = ANALYTICS_GROUPS.length;

@ArgsType()
class ScopeArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'What is counted; click when nothing is said.',
    rule: { enum: ANALYTICS_EVENTS },
  })
  declare event?: string;
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
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Whether to count the period before too; no when nothing is said.',
  })
  declare compare?: boolean;
}
// Every dimension is a filter of its own.
for (const field of ANALYTICS_FILTERS) RuleField(() => String, FILTER)(ScopeArgs.prototype, field);

@ArgsType()
export class AnalyticsArgs extends ScopeArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'What the rows are grouped by; none, only a total, when nothing is said.',
    rule: { enum: ANALYTICS_GROUPS },
  })
  declare groupBy?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The length of a row when grouped by time; it follows from the range when nothing is said.',
    rule: { enum: GRANULARITIES },
  })
  declare granularity?: string;
  @RuleField(() => Int, {
    nullable: true,
    description: 'The most rows, 100 when nothing is said; others has the sum of the rest.',
    rule: { minimum: 1, maximum: 1000 },
  })
  declare limit?: number;
}

@ArgsType()
export class BreakdownsArgs extends ScopeArgs {
  @RuleField(() => [String], {
    description:
      'What the rows of each answer are grouped by, each of them once. Time has the granularity that follows from the range.',
    rule: { minItems: 1, maxItems: MOST_GROUPINGS, uniqueItems: true, items: { enum: ANALYTICS_GROUPS } },
  })
  declare groupBys: Group[];
  @RuleField(() => Int, {
    nullable: true,
    description: 'The most rows of each answer, 100 when nothing is said; others has the sum of the rest.',
    rule: { minimum: 1, maximum: 100 },
  })
  declare limit?: number;
}
