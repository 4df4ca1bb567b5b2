import { Args, ArgsType, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { listEvents } from '../../src/services/events/listEvents.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { JsonObject, Time } from '../scalars.ts';
import { EVENT_TYPE_RULE } from '../webhooks/webhookTypes.ts';

@ObjectType('Event', { description: 'The envelope that receivers get.' })
class EventType {
  @Field(() => ID) declare id: string;
  @Field(() => String) declare type: string;
  @Field(() => String) declare apiVersion: string;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => ID) declare teamId: string;
  @Field(() => ID, { nullable: true }) declare projectId: string | null;
  @Field(() => Boolean) declare test: boolean;
  @Field(() => JsonObject) declare data: Record<string, unknown>;
}

@ObjectType('EventPage')
class EventPageType {
  @Field(() => [EventType]) declare data: EventType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ArgsType()
class EventsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, rule: EVENT_TYPE_RULE }) declare type?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Events of this link, also after it was deleted; or ext_<external id> of one that there is.',
    rule: { minLength: 1, maxLength: 255 },
  })
  declare linkId?: string;
  @RuleField(() => Time, { nullable: true, description: 'Created at this moment or later.' })
  declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Created before this moment.' }) declare createdBefore?: Date;
}

@Resolver()
export class EventResolver {
  @Query(() => EventPageType, { description: 'Events of a project, newest first.' })
  events(
    @Args(() => EventsArgs) { projectId, ...filter }: EventsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<EventType>> {
    return listEvents(principal, projectId, filter);
  }
}
