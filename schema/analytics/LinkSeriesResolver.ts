import { Args, ArgsType, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { ANALYTICS_CHOICES } from '../../src/analytics/analyticsService.ts';
import { type LinkSeriesResult, readLinkSeries } from '../../src/analytics/linkSeriesService.ts';
import { GRANULARITIES } from '../analyticsEnums.ts';
import { SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';

@ObjectType('LinkSeries', { description: 'The clicks of a link over time.' })
class LinkSeriesType {
  @Field(() => ID, { description: 'The id of the link.' }) declare linkId: string;
  @Field(() => SafeInt, { description: 'Its clicks in the whole period.' }) declare total: number;
  @Field(() => [SafeInt], { description: 'Its clicks in each bucket, in the order of starts.' })
  declare counts: number[];
}

@ObjectType('LinkSeriesSet', { description: 'The clicks of several links over the same period.' })
class LinkSeriesSetType {
  @Field(() => Time, { description: 'Inclusive.' }) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => String, { description: 'The IANA time zone of the days and hours.' }) declare timezone: string;
  @RuleField(() => String, { description: 'The length of a bucket.', rule: { enum: GRANULARITIES } })
  declare granularity: string;
  @Field(() => Time, {
    nullable: true,
    description: 'As that of an analytics query.',
  })
  declare asOf: Date | null;
  @Field(() => [Time], { description: 'The start of each bucket; that of the first may lie before start.' })
  declare starts: Date[];
  @Field(() => [LinkSeriesType], { description: 'One entry for each of linkIds, in their order.' })
  declare data: LinkSeriesType[];
}

@ArgsType()
class LinkSeriesArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [ID], {
    description: 'The ids of links, each of them once. A link without clicks in the project has zeros.',
    rule: { minItems: 1, maxItems: 100, uniqueItems: true },
  })
  declare linkIds: string[];
  @RuleField(() => String, {
    nullable: true,
    description: 'Back from now; 30d when nothing is said.',
    rule: { enum: ANALYTICS_CHOICES.intervals },
  })
  declare interval?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'IANA name; UTC when it is not given.',
    rule: { format: 'timezone', maxLength: 64 },
  })
  declare timezone?: string;
}

@Resolver()
export class LinkSeriesResolver {
  @Query(() => LinkSeriesSetType, { description: 'How often people clicked on links of a project, each over time.' })
  linkSeries(
    @Args(() => LinkSeriesArgs) args: LinkSeriesArgs,
    @Ctx() { principal }: Context,
  ): Promise<LinkSeriesResult> {
    return readLinkSeries(principal, args);
  }
}
