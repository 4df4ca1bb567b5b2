import { ArgsType, ID, InputType, Int } from 'type-graphql';
import type { EventType } from '../../src/events/catalogue.ts';
import { REPLAYS } from '../../src/services/webhooks/replayWebhook.ts';
import type { WebhookInput } from '../../src/services/webhooks/webhookInput.ts';
import { PageArgs } from '../PageArgs.ts';
import { type Rule, RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { DELIVERY_STATUSES } from '../words.ts';
import { EVENT_TYPE_RULE, SUBSCRIPTION_RULE } from './webhookTypes.ts';

const URL_RULE: Rule = { format: 'uri', minLength: 1, maxLength: 2048 };
const EVENT_TYPES_RULE: Rule = { items: SUBSCRIPTION_RULE, minItems: 1, uniqueItems: true, notNull: true };

@InputType()
class WebhookScopeInput {
  @RuleField(() => ID, { nullable: true }) declare projectId?: string | null;
  @RuleField(() => ID, { nullable: true }) declare linkId?: string | null;
  @RuleField(() => ID, { nullable: true }) declare tagId?: string | null;
}

@InputType()
class WebhookFields {
  @RuleField(() => String, { nullable: true, rule: { maxLength: 500 } }) declare description?: string | null;
  @RuleField(() => [String], { nullable: true, description: '["*"] for all; the default.', rule: EVENT_TYPES_RULE })
  declare eventTypes?: string[];
  @RuleField(() => WebhookScopeInput, { nullable: true, description: 'Unset: the whole project.' })
  declare scope?: WebhookScopeInput | null;
  @RuleField(() => Boolean, { nullable: true, rule: { notNull: true } }) declare includeBots?: boolean;
}

@InputType()
export class CreateWebhookInput extends WebhookFields implements WebhookInput {
  @RuleField(() => ID, { nullable: true, description: 'Either this or teamId.', rule: { implied: 'project' } })
  declare projectId?: string | null;
  @RuleField(() => ID, { nullable: true, description: 'Makes it team-wide.', rule: { implied: 'project' } })
  declare teamId?: string | null;
  @RuleField(() => String, { description: 'https, a public address, no user name or password.', rule: URL_RULE })
  declare url: string;
}

@InputType()
export class UpdateWebhookInput extends WebhookFields implements WebhookInput {
  @RuleField(() => String, { nullable: true, rule: { ...URL_RULE, notNull: true } }) declare url?: string;
}

@InputType()
export class TestWebhookInput {
  @RuleField(() => String, { description: 'The event type of the sample.', rule: EVENT_TYPE_RULE })
  declare type: EventType;
}

@InputType()
export class RotateSecretInput {
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long the secrets before sign beside the new one; 0: they end at once.',
    rule: { minimum: 0, maximum: 86_400, default: 86_400, notNull: true },
  })
  declare expirePreviousSeconds?: number;
}

@InputType()
export class ReplayInput {
  @RuleField(() => Time, { description: 'Events raised from this moment on, within the last 30 days.' })
  declare since: Date;
  @RuleField(() => Time, { nullable: true, description: 'Events raised before this moment; unset: until now.' })
  declare until?: Date | null;
  @RuleField(() => String, {
    nullable: true,
    description:
      'failed: deliveries that ended without success, cancelled ones among them; missing: events that match and have no ' +
      'delivery; all: both, and what has succeeded or is on its way.',
    rule: { enum: [...REPLAYS], default: 'failed', notNull: true },
  })
  declare status?: (typeof REPLAYS)[number];
}

@ArgsType()
export class WebhooksArgs extends PageArgs {
  @RuleField(() => ID, { nullable: true, rule: { implied: 'project' } }) declare projectId?: string;
  @RuleField(() => ID, { nullable: true, rule: { implied: 'project' } }) declare teamId?: string;
}

@ArgsType()
export class DeliveriesArgs extends PageArgs {
  @RuleField(() => ID) declare webhookId: string;
  @RuleField(() => String, { nullable: true, rule: { enum: DELIVERY_STATUSES } })
  declare status?: string;
  @RuleField(() => String, { nullable: true, rule: EVENT_TYPE_RULE }) declare eventType?: string;
  @RuleField(() => Time, { nullable: true }) declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true }) declare createdBefore?: Date;
}
