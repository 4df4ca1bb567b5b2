import { Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import { eventsSince } from '../../src/live/eventStreamService.ts';
import type { Link } from '../../src/models/Link.ts';
import { listEvents, type ShownEvent } from '../../src/webhooks/eventService.ts';
import { JsonObject, PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { LinkType } from '../links/LinkType.ts';
import { RuleField } from '../rules.ts';
import { type TailArgs, tailRequestOf } from './tailRequest.ts';
import { EVENT_TYPE_RULE } from './webhookTypes.ts';

@ObjectType('Event', { description: 'The envelope that receivers get.' })
export class EventType {
  @Field(() => ID) declare id: string;
  @Field(() => String, { description: 'What happened, such as link.created.' }) declare type: string;
  @Field(() => String, { description: 'The version of the envelope.' }) declare apiVersion: string;
  @Field(() => Time, { description: 'When it happened.' }) declare createdAt: Date;
  @Field(() => ID) declare teamId: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The project that it happened in; null for events of the whole team.',
  })
  declare projectId: string | null;
  @Field(() => Boolean, { description: 'Whether it is a sample that was requested by hand.' }) declare test: boolean;
  @Field(() => JsonObject, { description: 'What it happened to, as the event type defines it.' }) declare data: Record<
    string,
    unknown
  >;
}

const EventPageType = pageOf('Event', EventType);

@ArgsType()
class EventsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, description: 'Only events of this type.', rule: EVENT_TYPE_RULE })
  declare type?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Events of this link, even after it was deleted; or ext_<external id> of an existing link.',
    rule: { minLength: 1, maxLength: 255 },
  })
  declare linkId?: string;
  @RuleField(() => Time, { nullable: true, description: 'Created at this time or later.' })
  declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Created before this time.' }) declare createdBefore?: Date;
}

@ArgsType()
class EventsSinceArgs implements TailArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description:
      'Only events of these types: a list with commas, such as link.created,link.clicked. All if left out, or by *.',
    rule: { minLength: 1, maxLength: 500 },
  })
  declare types?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Only events of this link; also ext_<external id>.',
    rule: { minLength: 1, maxLength: 255 },
  })
  declare linkId?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'The last event that you have: begins with what came after it. Without it, nothing from before comes.',
  })
  declare after?: string;
}

@ObjectType({ description: 'What has happened since an event.' })
class EventsSince {
  @Field(() => [EventType], { description: 'Oldest first, at most 1,000; ids that you know may be among them.' })
  declare data: EventType[];
  @Field(() => Int, { description: 'How many later events are left out; ask again with the last id.' })
  declare skipped: number;
}

@Resolver(() => EventType)
export class EventResolver {
  @Query(() => EventPageType, { description: 'Events of a project, newest first.' })
  events(
    @Args(() => EventsArgs) { projectId, ...filter }: EventsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ShownEvent>> {
    return listEvents(principal, projectId, filter);
  }

  @Query(() => EventsSince, { description: 'What a stream of events begins with: events after one, oldest first.' })
  eventsSince(
    @Args(() => EventsSinceArgs) args: EventsSinceArgs,
    @Ctx() { principal }: Context,
  ): Promise<{ data: ShownEvent[]; skipped: number }> {
    return eventsSince(principal, tailRequestOf(args));
  }

  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The link that the event is about; null for other events, and once the link is deleted.',
  })
  link(@Root() { linkId }: ShownEvent, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }
}
