import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Delivery } from '../../src/models/Delivery.ts';
import type { Page } from '../../src/services/paging.ts';
import {
  findDelivery,
  listDeliveries,
  type ShownAttempt,
  shownAttempts,
} from '../../src/services/webhooks/deliveries.ts';
import { resendDelivery } from '../../src/services/webhooks/resendDelivery.ts';
import type { Context } from '../context.ts';
import { DeliveriesArgs } from './webhookInputs.ts';
import { AttemptType, DeliveryPageType, DeliveryType } from './webhookTypes.ts';

@Resolver(() => DeliveryType)
export class DeliveryResolver {
  @Query(() => DeliveryPageType, { description: 'Deliveries of a webhook, newest first.' })
  deliveries(
    @Args(() => DeliveriesArgs) { webhookId, ...filter }: DeliveriesArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Delivery>> {
    return listDeliveries(principal, webhookId, filter);
  }

  @Query(() => DeliveryType)
  delivery(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Delivery> {
    return findDelivery(principal, id);
  }

  @Mutation(() => DeliveryType, { description: 'Sends it once more at once, whatever became of it.' })
  resendDelivery(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Delivery> {
    return resendDelivery(principal, id);
  }

  @FieldResolver(() => [AttemptType])
  async attempts(@Root() delivery: Delivery, @Ctx() { loaders }: Context): Promise<ShownAttempt[]> {
    return shownAttempts(delivery, await loaders.attempts.load(delivery.id));
  }
}
