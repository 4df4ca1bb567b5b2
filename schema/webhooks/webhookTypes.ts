import { Field, ID, Int, ObjectType } from 'type-graphql';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { type Rule, RuleField } from '../rules.ts';
import { JsonObject, SafeInt, Time } from '../scalars.ts';
import { ATTEMPT_ERRORS, CIRCUITS, DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK_STATUSES } from '../words.ts';

const TYPES = Object.keys(EVENT_TYPES);
export const EVENT_TYPE_RULE: Rule = { 'x-name': 'EventType', enum: TYPES };
/** What a webhook is told of. */
export const SUBSCRIPTION_RULE: Rule = { 'x-name': 'Subscription', enum: ['*', ...TYPES] };

@ObjectType('Webhook')
export class WebhookType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true, description: 'Null: team-wide.' }) declare projectId: string | null;
  @Field(() => String) declare url: string;
  @Field(() => String, { nullable: true }) declare description: string | null;
  @RuleField(() => [String], { rule: { items: SUBSCRIPTION_RULE } }) declare eventTypes: string[];
  @Field(() => Boolean, { description: 'Whether link.clicked also tells of bots and scanners.' })
  declare includeBots: boolean;
  @RuleField(() => String, { description: 'enabled or disabled.', rule: { enum: WEBHOOK_STATUSES } })
  declare status: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'manual: by hand; failures: too many in a row; gone: it answered 410; null while it is enabled.',
    rule: { enum: DISABLED_REASONS },
  })
  declare disabledReason: string | null;
  @RuleField(() => String, { description: 'closed, or open while deliveries are held.', rule: { enum: CIRCUITS } })
  declare circuit: string;
  @Field(() => Int) declare consecutiveFailures: number;
  @Field(() => String, { description: 'Version of the envelopes; pinned at creation.' }) declare apiVersion: string;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('WebhookPage')
export class WebhookPageType {
  @Field(() => [WebhookType]) declare data: WebhookType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('CreatedWebhook')
export class CreatedWebhookType extends WebhookType {
  @Field(() => String, { description: 'Signs the deliveries; the whole string is the HMAC key.' })
  declare secret: string;
}

@ObjectType('Attempt')
export class AttemptType {
  @Field(() => Int, { description: 'From 1.' }) declare number: number;
  @Field(() => Time) declare at: Date;
  @Field(() => Boolean) declare manual: boolean;
  @Field(() => SafeInt) declare durationMs: number;
  @Field(() => Int, { nullable: true }) declare statusCode: number | null;
  @Field(() => JsonObject, { nullable: true }) declare responseHeaders: Record<string, string> | null;
  @Field(() => String, { nullable: true, description: 'The first 4 KiB.' }) declare responseBody: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'dns, connect, tls, timeout, reset, blocked_address, bad_response or status; null for a success.',
    rule: { enum: ATTEMPT_ERRORS },
  })
  declare error: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where it was sent; null for attempts from before this was kept.',
  })
  declare url: string | null;
  @Field(() => JsonObject, {
    nullable: true,
    description: 'As they were sent, beside Host, Content-Length and Connection; null like url.',
  })
  declare requestHeaders: Record<string, string> | null;
}

@ObjectType('Delivery')
export class DeliveryType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true }) declare projectId: string | null;
  @Field(() => ID) declare webhookId: string;
  @Field(() => ID) declare eventId: string;
  @RuleField(() => String, { rule: EVENT_TYPE_RULE }) declare eventType: string;
  @Field(() => Boolean, { name: 'test', description: 'A sample that was asked for by hand.' }) declare isTest: boolean;
  @RuleField(() => String, {
    description: 'pending, succeeded, failed or cancelled.',
    rule: { enum: DELIVERY_STATUSES },
  })
  declare status: string;
  @Field(() => Int, { description: 'As many as there are attempts.' }) declare attemptCount: number;
  @Field(() => Time, { nullable: true }) declare nextAttemptAt: Date | null;
  @Field(() => String, { description: 'The bytes that are sent.' }) declare requestBody: string;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('DeliveryPage')
export class DeliveryPageType {
  @Field(() => [DeliveryType]) declare data: DeliveryType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('Replay')
export class ReplayType {
  @Field(() => SafeInt, { description: 'Deliveries that are sent.' }) declare count: number;
}
