import { ID, InputType, Int } from 'type-graphql';
import { MAX_TAGS } from '../../src/links/bulkService.ts';
import type { LinkInput } from '../../src/links/linkService.ts';
import { JsonObject, Time } from '../commonTypes.ts';
import { EXTERNAL_ID_RULE, EXTERNAL_ID_TEXT, MANAGED_BY_RULE, MANAGED_BY_TEXT } from '../ownership.ts';
import { type Rule, RuleField } from '../rules.ts';
import { TAG_NAME_RULE } from '../tags/TagResolver.ts';
import { ROUTING_SCHEMA } from './routingSchema.ts';

const URL_RULE: Rule = { format: 'destination', maxLength: 8192 };
const UTM_RULE: Rule = { maxLength: 500 };

@InputType({ description: 'Campaign parameters that are added to the destination.' })
class UtmInput {
  @RuleField(() => String, {
    nullable: true,
    description: 'utm_source: where visitors come from, such as newsletter.',
    rule: UTM_RULE,
  })
  declare source?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'utm_medium: the kind of channel, such as email.',
    rule: UTM_RULE,
  })
  declare medium?: string | null;
  @RuleField(() => String, { nullable: true, description: 'utm_campaign: the name of the campaign.', rule: UTM_RULE })
  declare campaign?: string | null;
  @RuleField(() => String, { nullable: true, description: 'utm_term: the paid keyword.', rule: UTM_RULE })
  declare term?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'utm_content: which of several links or ads it is.',
    rule: UTM_RULE,
  })
  declare content?: string | null;
}

@InputType({ description: 'What social networks show for the link.' })
class PreviewInput {
  @RuleField(() => String, {
    nullable: true,
    description: 'The headline, which visitors see in previews too; null: the host of the destination.',
    rule: { maxLength: 300 },
  })
  declare title?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'The text below the headline; null: that of the destination.',
    rule: { maxLength: 1000 },
  })
  declare description?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'The image; null: that of the destination.',
    rule: { format: 'uri', maxLength: 8192 },
  })
  declare imageUrl?: string | null;
}

@InputType({ description: 'Fields of a link.' })
class LinkFields {
  @RuleField(() => String, {
    nullable: true,
    description: 'Host of the short URL; unset: the default domain of the project.',
    rule: { format: 'host', maxLength: 260, notNull: true },
  })
  declare domain?: string;

  @RuleField(() => String, {
    nullable: true,
    description: 'Unset at creation: 7 characters are generated.',
    rule: { format: 'slug', minLength: 1, maxLength: 190, notNull: true },
  })
  declare slug?: string;

  @RuleField(() => JsonObject, {
    nullable: true,
    description: 'Rules and a split that choose another destination; null: none.',
    rule: { schema: ROUTING_SCHEMA },
  })
  declare routing?: Record<string, unknown> | null;

  @RuleField(() => JsonObject, {
    nullable: true,
    description: 'Free-form payload for the app, at most 16 KiB.',
    rule: { 'x-max-bytes': 16_384 },
  })
  declare data?: Record<string, unknown> | null;

  @RuleField(() => [String], {
    nullable: true,
    description: 'Names; unknown ones are created.',
    rule: {
      maxItems: MAX_TAGS,
      items: TAG_NAME_RULE,
    },
  })
  declare tags?: string[] | null;

  @RuleField(() => String, { nullable: true, description: MANAGED_BY_TEXT, rule: MANAGED_BY_RULE })
  declare managedBy?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'A name for your team; visitors never see it, only preview.title.',
    rule: { maxLength: 500 },
  })
  declare title?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Notes for your team; never shown to visitors.',
    rule: { maxLength: 5000 },
  })
  declare notes?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Visitors are asked for it. Stored as an argon2id hash and never returned; null removes it.',
    // A shorter one could be guessed within the number of attempts that a link allows in a few minutes.
    rule: { minLength: 4, maxLength: 200 },
  })
  declare password?: string | null;

  @RuleField(() => UtmInput, {
    nullable: true,
    description: 'Campaign parameters that are added to the destination; null: none.',
  })
  declare utm?: UtmInput | null;
  @RuleField(() => PreviewInput, {
    nullable: true,
    description: 'What social networks show; null: what the destination says.',
  })
  declare preview?: PreviewInput | null;
  @RuleField(() => Time, { nullable: true, description: 'Before this time the link does not redirect.' })
  declare startsAt?: Date | null;
  @RuleField(() => Time, {
    nullable: true,
    description:
      'From this time the link is expired. A time in the past is allowed: it ends the link at once, and expired links can be imported. The answer shows it in `status`.',
  })
  declare expiresAt?: Date | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Where visitors go once the link is expired; null: as the domain says.',
    rule: URL_RULE,
  })
  declare expiredDestination?: string | null;
  @RuleField(() => Int, {
    nullable: true,
    description: 'Clicks of people after which the link is expired.',
    rule: { minimum: 1 },
  })
  declare clickLimit?: number | null;
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long after a click an install can match it, in seconds; null: as the project says.',
    rule: { minimum: 60, maximum: 86_400 },
  })
  declare matchWindowSeconds?: number | null;
}

/** A link that the path names by its external id. Its destination is required if the link does not exist yet. */
@InputType({ description: 'A link to create, or the changes if it exists.' })
export class UpsertLinkInput extends LinkFields implements LinkInput {
  @RuleField(() => String, {
    nullable: true,
    description: 'Required if there is no link with this external id yet.',
    rule: { ...URL_RULE, minLength: 1, notNull: true },
  })
  declare destination?: string;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'true archives the link, also a new one; false lets it work again.',
    rule: { notNull: true },
  })
  declare archived?: boolean;
}

/** A row of a list of upserts: `x-input` names it, and schema/links/linkRules.ts checks rows by it. */
@InputType({ description: 'A link to create, or the changes if it exists, by your own id.' })
export class UpsertLinkRowInput extends UpsertLinkInput {
  @RuleField(() => ID, {
    nullable: true,
    description: 'The link that gets this external id, which it has not yet; unset: the one that has it.',
    rule: { notNull: true },
  })
  declare id?: string;
  @RuleField(() => String, {
    description: 'Your own id, unique in the project: the link that has it is changed.',
    rule: EXTERNAL_ID_RULE,
  })
  declare externalId: string;
}

@InputType({ description: 'Fields of a link, with your own id.' })
class NamedLinkFields extends LinkFields {
  @RuleField(() => String, {
    nullable: true,
    description: EXTERNAL_ID_TEXT,
    rule: EXTERNAL_ID_RULE,
  })
  declare externalId?: string | null;
}

@InputType({ description: 'A new link.' })
export class CreateLinkInput extends NamedLinkFields implements LinkInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    description: 'An http(s) URL, or one with the scheme of an app of the project.',
    rule: { ...URL_RULE, minLength: 1 },
  })
  declare destination: string;
}

@InputType({ description: 'Changes to a link.' })
export class UpdateLinkInput extends NamedLinkFields implements LinkInput {
  @RuleField(() => String, {
    nullable: true,
    description: 'An http(s) URL, or one with the scheme of an app of the project.',
    rule: { ...URL_RULE, minLength: 1, notNull: true },
  })
  declare destination?: string;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'true archives the link, false lets it work again.',
    rule: { notNull: true },
  })
  declare archived?: boolean;
}

@InputType({ description: 'A link that is being written: what would be sent to createLink or updateLink now.' })
export class DraftLinkInput extends UpdateLinkInput {}
