import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import type { Delivery } from '../../src/models/Delivery.ts';
import type { Link } from '../../src/models/Link.ts';
import type { Tag } from '../../src/models/Tag.ts';
import type { Webhook } from '../../src/models/Webhook.ts';
import { testWebhook } from '../../src/webhooks/deliveryService.ts';
import { previewReplay, replayWebhook } from '../../src/webhooks/replayService.ts';
import {
  readSecret,
  rotateSecret,
  type SigningSecret,
  signingSecrets,
  type WebhookWithSecret,
} from '../../src/webhooks/secretService.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  switchWebhook,
  updateWebhook,
} from '../../src/webhooks/webhookService.ts';
import type { WebhookStats } from '../../src/webhooks/webhookStatsService.ts';
import { JsonObject } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import { LinkType } from '../links/LinkType.ts';
import { TagType } from '../tags/TagResolver.ts';
import { DeliveryType } from './DeliveryResolver.ts';
import {
  CreatedWebhookType,
  CreateWebhookInput,
  ReplayInput,
  ReplayType,
  RotateSecretInput,
  SigningSecretType,
  TestWebhookInput,
  UpdateWebhookInput,
  WebhookBatchType,
  WebhookPageType,
  WebhookScopeType,
  WebhookStatsArgs,
  WebhookStatsType,
  WebhooksArgs,
  WebhookType,
} from './webhookTypes.ts';

@Resolver(() => WebhookType)
export class WebhookResolver {
  @Query(() => WebhookPageType, { description: 'Webhooks of a project or, with teamId, of a team.' })
  webhooks(@Args(() => WebhooksArgs) args: WebhooksArgs, @Ctx() { principal }: Context): Promise<Page<Webhook>> {
    return listWebhooks(principal, args);
  }

  @Query(() => WebhookType, { description: 'One webhook.' })
  webhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Webhook> {
    return readWebhook(principal, id);
  }

  @Query(() => ReplayType, { description: 'How many deliveries a replay would send; sends nothing.' })
  replayPreview(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Arg('input', () => ReplayInput, { description: 'Which events would be sent again.' }) input: ReplayInput,
    @Ctx() { principal }: Context,
  ): Promise<ReplayType> {
    return previewReplay(principal, id, input);
  }

  @DryRun()
  @Mutation(() => CreatedWebhookType, { description: 'Creates a webhook, and shows its secret.' })
  async createWebhook(
    @Arg('input', () => CreateWebhookInput, { description: 'The new webhook.' }) input: CreateWebhookInput,
    @Ctx() { principal }: Context,
  ): Promise<Webhook & { secret: string }> {
    const { webhook, secret } = await createWebhook(principal, input);
    return Object.assign(webhook, { secret });
  }

  @DryRun()
  @Mutation(() => WebhookType, { description: 'Replaces the fields that are sent.' })
  updateWebhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Arg('input', () => UpdateWebhookInput, { description: 'The changes.' }) input: UpdateWebhookInput,
    @Ctx() { principal }: Context,
  ): Promise<Webhook> {
    return updateWebhook(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Deletes the webhook; deliveries that are pending are not sent.' })
  async deleteWebhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await deleteWebhook(principal, id);
    return true;
  }

  @Mutation(() => WebhookType, { description: 'Enables it; safe to repeat.' })
  enableWebhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Webhook> {
    return switchWebhook(principal, id, 'enabled');
  }

  @Mutation(() => WebhookType, { description: 'Disables it; safe to repeat.' })
  disableWebhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Webhook> {
    return switchWebhook(principal, id, 'disabled');
  }

  @Mutation(() => DeliveryType, { description: 'Sends a sample event, marked as a test.' })
  testWebhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Arg('input', () => TestWebhookInput, { description: 'What to send.' }) { type }: TestWebhookInput,
    @Ctx() { principal }: Context,
  ): Promise<Delivery> {
    return testWebhook(principal, id, type);
  }

  @Mutation(() => ReplayType, { description: 'Sends the events of a time range again.' })
  replayWebhook(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Arg('input', () => ReplayInput, { description: 'Which events to send again.' }) input: ReplayInput,
    @Ctx() { principal }: Context,
  ): Promise<ReplayType> {
    return replayWebhook(principal, id, input);
  }

  @FieldResolver(() => JsonObject, {
    nullable: true,
    description: 'The scope of its events: {project_id}, {link_id} or {tag_id}; null for the whole team.',
  })
  scopeJson(@Root() { projectId, linkId, tagId }: Webhook): Record<string, string> | null {
    if (linkId) return { link_id: linkId };
    if (tagId) return { tag_id: tagId };
    return projectId ? { project_id: projectId } : null;
  }

  @FieldResolver(() => WebhookScopeType, {
    nullable: true,
    description: 'Whose events it receives; null for those of the whole team.',
  })
  scope(@Root() { projectId, linkId, tagId }: Webhook): WebhookScopeType | null {
    if (linkId) return { projectId: null, linkId, tagId: null };
    if (tagId) return { projectId: null, linkId: null, tagId };
    return projectId ? { projectId, linkId: null, tagId: null } : null;
  }

  @FieldResolver(() => WebhookBatchType, {
    nullable: true,
    description: 'How events are gathered into one request; null: each is sent by itself.',
  })
  batch(@Root() { batchMaxEvents, batchMaxWaitSeconds }: Webhook): WebhookBatchType | null {
    if (batchMaxEvents === null || batchMaxWaitSeconds === null) return null;
    return { maxEvents: batchMaxEvents, maxWaitSeconds: batchMaxWaitSeconds };
  }

  @FieldResolver(() => WebhookStatsType, { description: 'How its deliveries went.' })
  stats(
    @Root() { id }: Webhook,
    @Args(() => WebhookStatsArgs) { interval }: WebhookStatsArgs,
    @Ctx() { loaders }: Context,
  ): Promise<WebhookStats> {
    return loaders.webhookStats.load({ webhookId: id, interval: interval ?? null });
  }

  @FieldResolver(() => [SigningSecretType], { description: 'The secrets that sign its deliveries now, newest first.' })
  signingSecrets(@Root() webhook: Webhook): SigningSecret[] {
    return signingSecrets(webhook);
  }

  @FieldResolver(() => LinkType, {
    nullable: true,
    description: 'The one link whose events it receives; null without such a scope, and once the link is deleted.',
  })
  link(@Root() { linkId }: Webhook, @Ctx() { loaders }: Context): Promise<Link | null> {
    return loaders.links.load(linkId);
  }

  @FieldResolver(() => TagType, {
    nullable: true,
    description: 'The tag whose links it receives the events of; null without such a scope.',
  })
  tag(@Root() { tagId }: Webhook, @Ctx() { loaders }: Context): Promise<Tag | null> {
    return loaders.tags.load(tagId);
  }
}

@Resolver()
export class WebhookSecretResolver {
  @Query(() => CreatedWebhookType, { description: 'A webhook with its newest secret.' })
  webhookSecret(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<WebhookWithSecret> {
    return readSecret(principal, id);
  }

  @Mutation(() => CreatedWebhookType, {
    description: 'Adds a new secret; the previous ones go on signing too for a while.',
  })
  rotateWebhookSecret(
    @Arg('id', () => ID, { description: 'The id of the webhook.' }) id: string,
    @Arg('input', () => RotateSecretInput, { description: 'When the previous secrets end.' }) input: RotateSecretInput,
    @Ctx() { principal }: Context,
  ): Promise<WebhookWithSecret> {
    return rotateSecret(principal, id, input);
  }
}
