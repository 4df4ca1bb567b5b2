import { Args, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { type ClickListInput, listClicks, type ShownClick } from '../../src/analytics/clickListService.ts';
import type { Page } from '../../src/db/paging.ts';
import type { Link } from '../../src/models/Link.ts';
import { DEVICES, PLATFORMS, TRAFFIC_CLASSES } from '../analyticsEnums.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { LinkType } from '../links/LinkType.ts';
import { RuleField } from '../rules.ts';
import { FILTER, LINK_FILTER } from './filterRule.ts';

@ObjectType('Click', { description: 'One visit through a link.' })
class ClickType {
  @Field(() => ID) declare id: string;
  @Field(() => Time, { description: 'When it happened.' }) declare occurredAt: Date;
  @Field(() => ID, { description: 'The link that was followed, also when it was deleted.' }) declare linkId: string;
  @Field(() => String, { description: 'The host of the short URL at that time.' }) declare domain: string;
  @Field(() => String, { description: 'The slug at that time.' }) declare slug: string;
  @RuleField(() => String, { description: 'Who it was, as far as can be told.', rule: { enum: TRAFFIC_CLASSES } })
  declare trafficClass: string;
  @Field(() => String, {
    nullable: true,
    description: 'The sign that put it into its class, such as head, agent or burst; null for people.',
  })
  declare reason: string | null;
  @Field(() => String, { nullable: true, description: 'The reason as a sentence.' }) declare why: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1, two capital letters; null: unknown.' })
  declare country: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-2, or a name where there is no code; null: unknown.' })
  declare region: string | null;
  @Field(() => String, { nullable: true, description: 'The name of the city; null: unknown.' })
  declare city: string | null;
  @RuleField(() => String, { description: 'The operating system.', rule: { enum: PLATFORMS } })
  declare platform: string;
  @RuleField(() => String, { description: 'The kind of device.', rule: { enum: DEVICES } }) declare device: string;
  @Field(() => String, { nullable: true, description: 'The name of the browser; null: unknown.' })
  declare browser: string | null;
  @Field(() => String, { nullable: true, description: 'The preferred language; null: unknown.' })
  declare language: string | null;
  @Field(() => String, { nullable: true, description: 'The host that the visitor came from; null: unknown.' })
  declare referrerHost: string | null;
  @Field(() => String, {
    description: 'Six characters that are the same for one address and browser on one UTC day, and others on the next.',
  })
  declare visitor: string;
}

const ClickPageType = pageOf('Click', ClickType);

@ArgsType()
class ClicksArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => ID, LINK_FILTER)
  declare link?: string;
  @RuleField(() => String, FILTER) declare trafficClass?: string;
  @RuleField(() => String, FILTER) declare country?: string;
  @RuleField(() => String, FILTER) declare platform?: string;
  @RuleField(() => String, FILTER) declare device?: string;
  @RuleField(() => String, FILTER) declare referrerHost?: string;
  @RuleField(() => String, FILTER) declare browser?: string;
  @RuleField(() => Time, { nullable: true, description: 'Inclusive.' }) declare start?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Exclusive.' }) declare end?: Date;
}

@Resolver(() => ClickType)
export class ClickResolver {
  @Query(() => ClickPageType, {
    description:
      'Single clicks of a project, newest first, for as long as they are kept. A page looks through at most 100,000 clicks: where few of them pass the filters it may have fewer than limit, or none, and still a nextCursor to go on with.',
  })
  clicks(@Args(() => ClicksArgs) args: ClickListInput, @Ctx() { principal }: Context): Promise<Page<ShownClick>> {
    return listClicks(principal, args);
  }

  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link that was followed; null once it is deleted, and where it may not be read.',
  })
  link(@Root() { linkId }: ShownClick, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }
}
