import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Delivery } from '../../src/models/Delivery.ts';
import type { Webhook } from '../../src/models/Webhook.ts';
import type { Page } from '../../src/services/paging.ts';
import { deleteWebhook, updateWebhook } from '../../src/services/webhooks/changeWebhook.ts';
import { createWebhook } from '../../src/services/webhooks/createWebhook.ts';
import { findWebhook } from '../../src/services/webhooks/findWebhook.ts';
import { listWebhooks } from '../../src/services/webhooks/listWebhooks.ts';
import { replayWebhook } from '../../src/services/webhooks/replayWebhook.ts';
import { switchWebhook } from '../../src/services/webhooks/switchWebhook.ts';
import { testWebhook } from '../../src/services/webhooks/testWebhook.ts';
import type { Context } from '../context.ts';
import { JsonObject } from '../scalars.ts';
import {
  CreateWebhookInput,
  ReplayInput,
  TestWebhookInput,
  UpdateWebhookInput,
  WebhooksArgs,
} from './webhookInputs.ts';
import { CreatedWebhookType, DeliveryType, ReplayType, WebhookPageType, WebhookType } from './webhookTypes.ts';

@Resolver(() => WebhookType)
export class WebhookResolver {
  @Query(() => WebhookPageType, { description: 'Webhooks of a project, or with teamId of a team.' })
  webhooks(@Args(() => WebhooksArgs) args: WebhooksArgs, @Ctx() { principal }: Context): Promise<Page<Webhook>> {
    return listWebhooks(principal, args);
  }

  @Query(() => WebhookType)
  webhook(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Webhook> {
    return findWebhook(principal, 'webhooks:read', id);
  }

  @Mutation(() => CreatedWebhookType)
  async createWebhook(
    @Arg('input', () => CreateWebhookInput) input: CreateWebhookInput,
    @Ctx() { principal }: Context,
  ): Promise<Webhook & { secret: string }> {
    const { webhook, secret } = await createWebhook(principal, input);
    return Object.assign(webhook, { secret });
  }

  @Mutation(() => WebhookType, { description: 'Replaces the fields that are sent.' })
  updateWebhook(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWebhookInput) input: UpdateWebhookInput,
    @Ctx() { principal }: Context,
  ): Promise<Webhook> {
    return updateWebhook(principal, id, input);
  }

  @Mutation(() => Boolean)
  async deleteWebhook(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await deleteWebhook(principal, id);
    return true;
  }

  @Mutation(() => WebhookType, { description: 'Switches it on; safe to repeat.' })
  enableWebhook(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Webhook> {
    return switchWebhook(principal, id, 'enabled');
  }

  @Mutation(() => WebhookType, { description: 'Switches it off; safe to repeat.' })
  disableWebhook(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Webhook> {
    return switchWebhook(principal, id, 'disabled');
  }

  @Mutation(() => DeliveryType, { description: 'Sends a sample event, marked as a test.' })
  testWebhook(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => TestWebhookInput) { type }: TestWebhookInput,
    @Ctx() { principal }: Context,
  ): Promise<Delivery> {
    return testWebhook(principal, id, type);
  }

  @Mutation(() => ReplayType, { description: 'Sends again what was raised in a range of time.' })
  replayWebhook(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => ReplayInput) input: ReplayInput,
    @Ctx() { principal }: Context,
  ): Promise<ReplayType> {
    return replayWebhook(principal, id, input);
  }

  @FieldResolver(() => JsonObject, {
    nullable: true,
    description: 'Whose events it gets: {project_id}, {link_id} or {tag_id}; null: the whole team.',
  })
  scope(@Root() { projectId, linkId, tagId }: Webhook): Record<string, string> | null {
    if (linkId) return { link_id: linkId };
    if (tagId) return { tag_id: tagId };
    return projectId ? { project_id: projectId } : null;
  }
}
