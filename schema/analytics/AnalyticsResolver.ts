import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import {
  type AnalyticsInput,
  type AnalyticsResult,
  type BreakdownsInput,
  type KeyFigures,
  readAnalytics,
  readBreakdowns,
} from '../../src/analytics/analyticsService.ts';
import type { Link } from '../../src/models/Link.ts';
import type { Context } from '../context.ts';
import { LinkType } from '../links/LinkType.ts';
import { AnalyticsArgs, BreakdownsArgs } from './analyticsArgs.ts';
import { AnalyticsType, RowType } from './analyticsTypes.ts';

@Resolver()
export class AnalyticsResolver {
  @Query(() => AnalyticsType, { description: 'What happened in a project, counted, grouped and filtered.' })
  analytics(@Args(() => AnalyticsArgs) args: AnalyticsInput, @Ctx() { principal }: Context): Promise<AnalyticsResult> {
    return readAnalytics(principal, args);
  }

  @Query(() => [AnalyticsType], {
    description:
      'The answers of analytics for several groupings, in their order; all of them cost about as much as one.',
  })
  analyticsBreakdowns(
    @Args(() => BreakdownsArgs) args: BreakdownsInput,
    @Ctx() { principal }: Context,
  ): Promise<AnalyticsResult[]> {
    return readBreakdowns(principal, args);
  }
}

@Resolver(() => RowType)
export class AnalyticsRowResolver {
  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link of the row; null unless grouped by link, and for a link that is deleted or may not be read.',
  })
  link(@Root() { linkId }: KeyFigures, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId ?? null);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What to show in the place of a key that is an id: the short URL of a link. Null where the key is a name itself, as that of a tag, domain or rule is.',
  })
  async label(@Root() { linkId }: KeyFigures, @Ctx() { loaders }: Context): Promise<string | null> {
    return (await loaders.links.load(linkId ?? null))?.shortUrl ?? null;
  }
}
