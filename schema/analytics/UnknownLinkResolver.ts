import { Args, ArgsType, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { ANALYTICS_CHOICES } from '../../src/analytics/analyticsService.ts';
import {
  listUnknownLinks,
  type UnknownLinksInput,
  type UnknownLinksResult,
} from '../../src/redirect/unknownLinkService.ts';
import { SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';

@ObjectType('UnknownLink', { description: 'A slug that was asked for and that no link had.' })
class UnknownLinkType {
  @Field(() => String, { description: 'The host that was asked.' }) declare domain: string;
  @Field(() => String, { description: 'The slug, as it was written.' }) declare slug: string;
  @Field(() => SafeInt, { description: 'Requests of people and programs.' }) declare count: number;
  @Field(() => SafeInt, { description: "The sum of each UTC day's distinct visitors who are people." })
  declare visitors: number;
  @Field(() => Time, { description: 'When it was asked for last.' }) declare lastAt: Date;
  @Field(() => ID, { nullable: true, description: 'The link that has the slug by now; null: none of the project.' })
  declare linkId: string | null;
}

@ObjectType('UnknownLinks', { description: 'The slugs without a link that were asked for in a range.' })
class UnknownLinksType {
  @Field(() => Time, { description: 'Inclusive.' }) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => SafeInt, { description: 'All such requests, those included for which data has no row.' })
  declare total: number;
  @Field(() => [UnknownLinkType], { description: 'The slugs that were asked for most often, the most frequent first.' })
  declare data: UnknownLinkType[];
}

@ArgsType()
class UnknownLinksArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Back from now; 30d when nothing is said.',
    rule: { enum: ANALYTICS_CHOICES.intervals },
  })
  declare interval?: string;
  @RuleField(() => Time, { nullable: true, description: 'Inclusive; in the place of interval.' }) declare start?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Exclusive.' }) declare end?: Date;
  @RuleField(() => Int, {
    nullable: true,
    description: 'The most rows, 100 when nothing is said.',
    rule: { minimum: 1, maximum: 100 },
  })
  declare limit?: number;
}

@Resolver()
export class UnknownLinkResolver {
  @Query(() => UnknownLinksType, {
    description: 'Slugs on the domains of a project that people tried and that no link has.',
  })
  unknownLinks(
    @Args(() => UnknownLinksArgs) args: UnknownLinksInput,
    @Ctx() { principal }: Context,
  ): Promise<UnknownLinksResult> {
    return listUnknownLinks(principal, args);
  }
}
