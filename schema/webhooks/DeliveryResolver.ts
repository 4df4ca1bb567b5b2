import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import type { Delivery } from '../../src/models/Delivery.ts';
import type { Webhook } from '../../src/models/Webhook.ts';
import {
  countListedDeliveries,
  type DeliveryCount,
  type DeliveryGrouping,
  listDeliveries,
} from '../../src/webhooks/deliveryListService.ts';
import {
  findDelivery,
  isBatch,
  resendDelivery,
  type ShownAttempt,
  shownAttempts,
} from '../../src/webhooks/deliveryService.ts';
import type { ShownEvent } from '../../src/webhooks/eventService.ts';
import { JsonObject, PageArgs, pageOf, SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { RuleField } from '../rules.ts';
import { ATTEMPT_ERRORS, DELIVERY_GROUPS, DELIVERY_STATUSES } from '../webhookEnums.ts';
import { EventType } from './EventResolver.ts';
import { DELIVERED_TYPE_RULE, WebhookType } from './webhookTypes.ts';

@ObjectType('Attempt', { description: 'One request to the receiver.' })
class AttemptType {
  @Field(() => Int, { description: 'From 1.' }) declare number: number;
  @Field(() => Time, { description: 'When it was sent.' }) declare at: Date;
  @Field(() => Boolean, { description: 'Whether it was sent by hand.' }) declare manual: boolean;
  @Field(() => SafeInt, { description: 'How long it took, in milliseconds.' }) declare durationMs: number;
  @Field(() => Int, { nullable: true, description: 'The HTTP status of the response; null without one.' })
  declare statusCode: number | null;
  @Field(() => JsonObject, { nullable: true, description: 'The headers of the response; null without one.' })
  declare responseHeaders: Record<string, string> | null;
  @Field(() => String, { nullable: true, description: 'The first 4 KiB.' }) declare responseBody: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Why it failed; null for a success.',
    rule: { enum: ATTEMPT_ERRORS },
  })
  declare error: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The URL it was sent to; null for attempts made before this was stored.',
  })
  declare url: string | null;
  @Field(() => JsonObject, {
    nullable: true,
    description: 'As sent, without Host, Content-Length and Connection; null when url is null.',
  })
  declare requestHeaders: Record<string, string> | null;
}

@ObjectType('Delivery', { description: 'An event, or a batch of events, on its way to a webhook.' })
export class DeliveryType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true, description: 'The project of the events; null for events of the whole team.' })
  declare projectId: string | null;
  @Field(() => ID, { description: 'The webhook that it is sent to.' }) declare webhookId: string;
  @Field(() => ID, { description: 'The event that is sent; for a batch the id of the delivery itself.' })
  declare eventId: string;
  @RuleField(() => String, { description: 'The type of the event, or batch.', rule: DELIVERED_TYPE_RULE })
  declare eventType: string;
  @Field(() => Int, { description: 'The number of events in the request; 1 unless it is a batch.' })
  declare eventCount: number;
  @Field(() => Boolean, { name: 'test', description: 'A sample that was requested by hand.' }) declare isTest: boolean;
  @RuleField(() => String, {
    description: 'pending, succeeded, failed or cancelled.',
    rule: { enum: DELIVERY_STATUSES },
  })
  declare status: string;
  @Field(() => Int, { description: 'The number of attempts.' }) declare attemptCount: number;
  @Field(() => Time, { nullable: true, description: 'When it is sent next; null when nothing more is planned.' })
  declare nextAttemptAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

const DeliveryPageType = pageOf('Delivery', DeliveryType);

@ArgsType()
class DeliveryFilterArgs {
  @RuleField(() => ID, { nullable: true, description: 'Deliveries to this webhook; needed without projectId.' })
  declare webhookId?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Deliveries of the events of this project, to all of its webhooks and those of its team.',
    rule: { implied: 'project' },
  })
  declare projectId?: string;
  @RuleField(() => ID, { nullable: true, description: 'Only deliveries of this event, alone or in a batch.' })
  declare eventId?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only deliveries with this status.',
    rule: { enum: DELIVERY_STATUSES },
  })
  declare status?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only deliveries of events of this type; batch: only batches.',
    rule: DELIVERED_TYPE_RULE,
  })
  declare eventType?: string;
  @RuleField(() => Time, { nullable: true, description: 'Created at this time or later.' }) declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Created before this time.' }) declare createdBefore?: Date;
}

@ArgsType()
class DeliveryCountArgs extends DeliveryFilterArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'Also counts each status or event type.',
    rule: { enum: DELIVERY_GROUPS },
  })
  declare groupBy?: DeliveryGrouping;
}

@ObjectType('DeliveryGroup', { description: 'The number of deliveries that share a status or an event type.' })
class DeliveryGroupType {
  @Field(() => String, { description: 'The status or event type.' }) declare key: string;
  @Field(() => SafeInt, { description: 'The number of deliveries in the group.' }) declare count: number;
}

@ObjectType('DeliveryCount', { description: 'The number of deliveries, in all and by group.' })
class DeliveryCountType implements DeliveryCount {
  @Field(() => SafeInt, { description: 'The number of deliveries that match the filters.' }) declare count: number;
  @Field(() => [DeliveryGroupType], {
    nullable: true,
    description: 'In descending order of count; null without groupBy.',
  })
  declare data: DeliveryGroupType[] | null;
}

@Resolver(() => DeliveryType)
export class DeliveryResolver {
  @Query(() => DeliveryPageType, { description: 'Deliveries of a webhook or a project, newest first.' })
  deliveries(
    @Args(() => DeliveryFilterArgs) filter: DeliveryFilterArgs,
    @Args(() => PageArgs) { limit, cursor }: PageArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Delivery>> {
    return listDeliveries(principal, { ...filter, limit, cursor });
  }

  @Query(() => DeliveryCountType, {
    description: 'The number of deliveries of a webhook or a project, by status or event type if asked.',
  })
  deliveryCount(
    @Args(() => DeliveryCountArgs) args: DeliveryCountArgs,
    @Ctx() { principal }: Context,
  ): Promise<DeliveryCount> {
    return countListedDeliveries(principal, args);
  }

  @Query(() => DeliveryType, { description: 'One delivery with its attempts.' })
  delivery(
    @Arg('id', () => ID, { description: 'The id of the delivery.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Delivery> {
    return findDelivery(principal, id);
  }

  @Mutation(() => DeliveryType, { description: 'Sends it again at once, whatever its status.' })
  resendDelivery(
    @Arg('id', () => ID, { description: 'The id of the delivery.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Delivery> {
    return resendDelivery(principal, id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The request body, byte for byte. Null for batches in a list, which have up to a megabyte each.',
  })
  requestBody(
    @Root() delivery: Delivery,
    @Info() { path }: GraphQLResolveInfo,
    @Ctx() { loaders }: Context,
  ): Promise<string | null> {
    const isListed = typeof path.prev?.key === 'number';
    return isListed && isBatch(delivery) ? Promise.resolve(null) : loaders.bodies.load(delivery);
  }

  @FieldResolver(() => [AttemptType], { description: 'Every request to the receiver, in order.' })
  async attempts(@Root() delivery: Delivery, @Ctx() { loaders }: Context): Promise<ShownAttempt[]> {
    return shownAttempts(delivery, await loaders.attempts.load(delivery.id));
  }

  @FieldResolver(() => WebhookType, { nullable: true, description: 'The receiver; null once it is deleted.' })
  webhook(@Root() { webhookId }: Delivery, @Ctx() { loaders }: Context): Promise<Webhook | null> {
    return loaders.webhooks.load(webhookId);
  }

  @FieldResolver(() => EventType, {
    nullable: true,
    description: 'The event that is delivered; null for a batch, and when it is older than events are kept.',
  })
  event(@Root() { eventId }: Delivery, @Ctx() { loaders }: Context): Promise<ShownEvent | null> {
    return loaders.events.load(eventId);
  }
}
