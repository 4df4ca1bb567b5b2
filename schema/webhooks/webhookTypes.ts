import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ANALYTICS_CHOICES } from '../../src/analytics/analyticsService.ts';
import { BATCH_LIMITS, BATCH_TYPE, EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';
import { DEFAULT_IN_FLIGHT, MOST_IN_FLIGHT } from '../../src/models/Webhook.ts';
import type { REPLAYS } from '../../src/webhooks/replayService.ts';
import type { WebhookInput } from '../../src/webhooks/webhookService.ts';
import { PageArgs, pageOf, SafeInt, Time } from '../commonTypes.ts';
import {
  EXTERNAL_ID_RULE,
  EXTERNAL_ID_TEXT,
  MANAGED_BY_FILTER,
  MANAGED_BY_RULE,
  MANAGED_BY_TEXT,
} from '../ownership.ts';
import { type Rule, RuleField } from '../rules.ts';
import { CIRCUITS, DISABLED_REASONS, REPLAY_STATUSES, WEBHOOK_STATUSES } from '../webhookEnums.ts';

const TYPES = Object.keys(EVENT_TYPES);
export const EVENT_TYPE_RULE: Rule = { 'x-name': 'EventType', enum: TYPES };
/** What a delivery can be of. */
export const DELIVERED_TYPE_RULE: Rule = { 'x-name': 'DeliveredType', enum: [...TYPES, BATCH_TYPE] };
/** What a webhook can subscribe to. */
const SUBSCRIPTION_RULE: Rule = { 'x-name': 'Subscription', enum: ['*', ...TYPES] };

const MAX_EVENTS = 'The most events in one request. A request has fewer where they would make more than a megabyte.';
const MAX_WAIT = 'The longest time in seconds that an event waits for others.';

@ObjectType('WebhookBatch', { description: 'How events are gathered into one request.' })
export class WebhookBatchType {
  @Field(() => Int, { description: MAX_EVENTS }) declare maxEvents: number;
  @Field(() => Int, { description: MAX_WAIT }) declare maxWaitSeconds: number;
}

@ObjectType('Webhook', { description: 'An endpoint of yours that events are sent to.' })
export class WebhookType {
  @Field(() => ID) declare id: string;
  @Field(() => ID, { nullable: true, description: 'Null: team-wide.' }) declare projectId: string | null;
  @Field(() => ID) declare teamId: string;
  @Field(() => String, { description: 'Where events are sent.' }) declare url: string;
  @Field(() => String, { nullable: true, description: 'A note for people.' }) declare description: string | null;
  @Field(() => String, { nullable: true, description: EXTERNAL_ID_TEXT }) declare externalId: string | null;
  @Field(() => String, { nullable: true, description: MANAGED_BY_TEXT }) declare managedBy: string | null;
  @RuleField(() => [String], {
    description: 'The event types that are sent; ["*"] for all.',
    rule: { items: SUBSCRIPTION_RULE },
  })
  declare eventTypes: string[];
  @Field(() => Boolean, { description: 'Whether link.clicked is also sent for bots and scanners.' })
  declare includeBots: boolean;
  @Field(() => Int, { description: 'The most requests that are in flight to it at once.' }) declare maxInFlight: number;
  @RuleField(() => String, { description: 'enabled or disabled.', rule: { enum: WEBHOOK_STATUSES } })
  declare status: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'manual: by hand; failures: too many in a row; gone: the receiver answered 410; null while enabled.',
    rule: { enum: DISABLED_REASONS },
  })
  declare disabledReason: string | null;
  @RuleField(() => String, { description: 'closed, or open while deliveries are held back.', rule: { enum: CIRCUITS } })
  declare circuit: string;
  @Field(() => Time, { nullable: true, description: 'When the circuit opened; null while it is closed.' })
  declare circuitOpenedAt: Date | null;
  @Field(() => Time, {
    nullable: true,
    description: 'When the next probe may be sent; null while the circuit is closed.',
  })
  declare nextProbeAt: Date | null;
  @Field(() => Time, { nullable: true, description: 'When it was disabled; null while it is enabled.' })
  declare disabledAt: Date | null;
  @Field(() => Int, { description: 'Attempts that failed since the last success.' })
  declare consecutiveFailures: number;
  @Field(() => String, { description: 'Version of the envelopes; pinned at creation.' }) declare apiVersion: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The user or key that created it; null where nobody knows any more.',
  })
  declare createdBy: string | null;
  @Field(() => ID, { nullable: true, description: 'The user or key that last said where it sends to.' })
  declare urlSetBy: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

export const WebhookPageType = pageOf('Webhook', WebhookType);

@ObjectType('CreatedWebhook', { description: 'A webhook with its newest secret.' })
export class CreatedWebhookType extends WebhookType {
  @Field(() => String, { description: 'Signs the deliveries; the whole string is the HMAC key.' })
  declare secret: string;
}

@ObjectType('WebhookScope', { description: 'Whose events a webhook receives: exactly one field is not null.' })
export class WebhookScopeType {
  @Field(() => ID, { nullable: true, description: 'The project, if all of its events are sent.' })
  declare projectId: string | null;
  @Field(() => ID, { nullable: true, description: 'The link, if only its events are sent.' })
  declare linkId: string | null;
  @Field(() => ID, { nullable: true, description: 'The tag, if the events of links with it are sent.' })
  declare tagId: string | null;
}

@ObjectType('SigningSecret', { description: 'A secret that signs deliveries now, without the secret itself.' })
export class SigningSecretType {
  @Field(() => String, { description: 'Its last four characters.' }) declare lastFour: string;
  @Field(() => Time, { nullable: true, description: 'When it stops signing; null for the current secret.' })
  declare expiresAt: Date | null;
}

@ObjectType('WebhookStatsBucket', { description: 'Deliveries that were created in an hour or a day of UTC.' })
class StatsBucketType {
  @Field(() => Time, { description: 'Its start; that of the first may lie before the interval.' }) declare start: Date;
  @Field(() => SafeInt, { description: 'Deliveries that succeeded.' }) declare succeeded: number;
  @Field(() => SafeInt, { description: 'Deliveries that failed or were cancelled.' }) declare failed: number;
}

@ObjectType('WebhookStats', { description: 'How the deliveries of a webhook went in an interval, tests included.' })
export class WebhookStatsType {
  @Field(() => Time, { description: 'Inclusive; not before deliveries are deleted.' }) declare start: Date;
  @Field(() => Time, { description: 'Exclusive.' }) declare end: Date;
  @Field(() => SafeInt, { description: 'Deliveries of the interval that succeeded.' }) declare succeeded: number;
  @Field(() => SafeInt, { description: 'Deliveries of the interval that failed or were cancelled.' })
  declare failed: number;
  @Field(() => SafeInt, { description: 'Deliveries that are waiting now, of any age.' }) declare pending: number;
  @Field(() => Time, { nullable: true, description: 'When the newest delivery was created, of any age.' })
  declare lastDeliveryAt: Date | null;
  @Field(() => Time, { nullable: true, description: 'When the newest successful delivery was created, of any age.' })
  declare lastSuccessAt: Date | null;
  @Field(() => SafeInt, {
    nullable: true,
    description: 'The median response time of the newest 100 successful deliveries of the interval, in milliseconds.',
  })
  declare medianMs: number | null;
  @Field(() => [StatsBucketType], { description: 'By hour for up to a day, else by day; in order, without gaps.' })
  declare buckets: StatsBucketType[];
}

@ArgsType()
export class WebhookStatsArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'Back from now; 24h when nothing is said.',
    rule: { enum: ANALYTICS_CHOICES.intervals },
  })
  declare interval?: string;
}

@ObjectType('Replay', { description: 'What a replay will send.' })
export class ReplayType {
  @Field(() => SafeInt, { description: 'The number of deliveries that will be sent.' }) declare count: number;
}

const URL_RULE: Rule = { format: 'uri', minLength: 1, maxLength: 2048 };
const EVENT_TYPES_RULE: Rule = { items: SUBSCRIPTION_RULE, minItems: 1, uniqueItems: true, notNull: true };

@InputType({ description: 'Which events a webhook gets: set exactly one field.' })
class WebhookScopeInput {
  @RuleField(() => ID, { nullable: true, description: 'Events of this project.' }) declare projectId?: string | null;
  @RuleField(() => ID, { nullable: true, description: 'Events of this link.' }) declare linkId?: string | null;
  @RuleField(() => ID, { nullable: true, description: 'Events of links with this tag.' }) declare tagId?: string | null;
}

@InputType({ description: 'How to gather events into one request.' })
class WebhookBatchInput {
  @RuleField(() => Int, { description: MAX_EVENTS, rule: { minimum: 1, maximum: BATCH_LIMITS.maxEvents } })
  declare maxEvents: number;
  @RuleField(() => Int, { description: MAX_WAIT, rule: { minimum: 1, maximum: BATCH_LIMITS.maxWaitSeconds } })
  declare maxWaitSeconds: number;
}

@InputType({ description: 'Fields of a webhook.' })
class WebhookFields {
  @RuleField(() => String, { nullable: true, description: 'A note for people.', rule: { maxLength: 500 } })
  declare description?: string | null;
  @RuleField(() => String, { nullable: true, description: EXTERNAL_ID_TEXT, rule: EXTERNAL_ID_RULE })
  declare externalId?: string | null;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_TEXT, rule: MANAGED_BY_RULE })
  declare managedBy?: string | null;
  @RuleField(() => [String], { nullable: true, description: '["*"], the default, for all.', rule: EVENT_TYPES_RULE })
  declare eventTypes?: string[];
  @RuleField(() => WebhookScopeInput, { nullable: true, description: 'Unset: the whole project.' })
  declare scope?: WebhookScopeInput | null;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Whether link.clicked is also sent for bots and scanners; false when nothing is said.',
    rule: { notNull: true },
  })
  declare includeBots?: boolean;
  @RuleField(() => WebhookBatchInput, {
    nullable: true,
    description: 'Sends events of a project together, as {"type": "batch", "events": […]}; null: each by itself.',
  })
  declare batch?: WebhookBatchInput | null;
  @RuleField(() => Int, {
    nullable: true,
    description: `The most requests that are in flight to it at once; ${DEFAULT_IN_FLIGHT} when nothing is said.`,
    rule: { minimum: 1, maximum: MOST_IN_FLIGHT, notNull: true },
  })
  declare maxInFlight?: number;
}

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput extends WebhookFields implements WebhookInput {
  @RuleField(() => ID, { nullable: true, description: 'Either this or teamId.', rule: { implied: 'project' } })
  declare projectId?: string | null;
  @RuleField(() => ID, { nullable: true, description: 'Makes it team-wide.', rule: { implied: 'project' } })
  declare teamId?: string | null;
  @RuleField(() => String, { description: 'https, a public address, no user name or password.', rule: URL_RULE })
  declare url: string;
}

@InputType({ description: 'Changes to a webhook.' })
export class UpdateWebhookInput extends WebhookFields implements WebhookInput {
  @RuleField(() => String, {
    nullable: true,
    description: 'https, a public address, no user name or password.',
    rule: { ...URL_RULE, notNull: true },
  })
  declare url?: string;
}

@InputType({ description: 'The sample to send.' })
export class TestWebhookInput {
  @RuleField(() => String, { description: 'The event type of the sample.', rule: EVENT_TYPE_RULE })
  declare type: EventType;
}

@InputType({ description: 'When the previous secrets end.' })
export class RotateSecretInput {
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long the previous secrets go on signing too; 0 ends them at once.',
    rule: { minimum: 0, maximum: 86_400, default: 86_400, notNull: true },
  })
  declare expirePreviousSeconds?: number;
}

@InputType({ description: 'Which events to send again.' })
export class ReplayInput {
  @RuleField(() => Time, { description: 'Events created at this time or later, within the last 30 days.' })
  declare since: Date;
  @RuleField(() => Time, { nullable: true, description: 'Events created before this time; defaults to now.' })
  declare until?: Date | null;
  @RuleField(() => String, {
    nullable: true,
    description:
      'failed: deliveries that failed or were cancelled; missing: matching events without a delivery; all: both, and ' +
      'deliveries that have succeeded or are pending.',
    rule: { enum: REPLAY_STATUSES, default: 'failed', notNull: true },
  })
  declare status?: (typeof REPLAYS)[number];
}

@ArgsType()
export class WebhooksArgs extends PageArgs {
  @RuleField(() => ID, {
    nullable: true,
    description: 'Webhooks of this project; either this or teamId.',
    rule: { implied: 'project' },
  })
  declare projectId?: string;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Team-wide webhooks of this team; either this or projectId.',
    rule: { implied: 'project' },
  })
  declare teamId?: string;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'With projectId, for people: also the team-wide webhooks, which receive its events too.',
  })
  declare includesTeamWide?: boolean;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only the webhook with this id of yours.',
    rule: EXTERNAL_ID_RULE,
  })
  declare externalId?: string;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_FILTER, rule: MANAGED_BY_RULE })
  declare managedBy?: string;
}
