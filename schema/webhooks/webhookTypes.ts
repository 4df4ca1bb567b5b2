import { Field, ID, Int, ObjectType } from 'type-graphql';
import { JsonObject, SafeInt, Time } from '../scalars.ts';

@ObjectType('Webhook')
export class WebhookType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true, description: 'Null: team-wide.' }) declare projectId: string | null;
  @Field(() => String) declare url: string;
  @Field(() => String, { nullable: true }) declare description: string | null;
  @Field(() => [String]) declare eventTypes: string[];
  @Field(() => Boolean, { description: 'Whether link.clicked also tells of bots and scanners.' })
  declare includeBots: boolean;
  @Field(() => String, { description: 'enabled or disabled.' }) declare status: string;
  @Field(() => String, {
    nullable: true,
    description: 'manual: by hand; failures: too many in a row; null while it is enabled.',
  })
  declare disabledReason: string | null;
  @Field(() => String, { description: 'closed, or open while deliveries are held.' }) declare circuit: string;
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
  @Field(() => String, {
    nullable: true,
    description: 'dns, connect, tls, timeout, reset, blocked_address, bad_response or status; null for a success.',
  })
  declare error: string | null;
}

@ObjectType('Delivery')
export class DeliveryType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true }) declare projectId: string | null;
  @Field(() => ID) declare webhookId: string;
  @Field(() => ID) declare eventId: string;
  @Field(() => String) declare eventType: string;
  @Field(() => String, { description: 'pending, succeeded, failed or cancelled.' }) declare status: string;
  @Field(() => Int) declare attemptCount: number;
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
