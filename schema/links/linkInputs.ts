import { ArgsType, ID, InputType, Int } from 'type-graphql';
import type { LinkGrouping } from '../../src/services/links/countLinks.ts';
import type { LinkInput } from '../../src/services/links/linkInput.ts';
import type { LinkFilter, LinkSort } from '../../src/services/links/listLinks.ts';
import { PageArgs } from '../PageArgs.ts';
import { type Rule, RuleField } from '../rules.ts';
import { JsonObject, Time } from '../scalars.ts';
import { TAG_NAME_RULE } from '../tags/tagNameRule.ts';
import { LINK_STATUSES } from '../words.ts';
import { ROUTING_SCHEMA } from './routingSchema.ts';

const URL_RULE: Rule = { format: 'destination', maxLength: 8192 };
const UTM_RULE: Rule = { maxLength: 500 };

@InputType()
class UtmInput {
  @RuleField(() => String, { nullable: true, rule: UTM_RULE }) declare source?: string | null;
  @RuleField(() => String, { nullable: true, rule: UTM_RULE }) declare medium?: string | null;
  @RuleField(() => String, { nullable: true, rule: UTM_RULE }) declare campaign?: string | null;
  @RuleField(() => String, { nullable: true, rule: UTM_RULE }) declare term?: string | null;
  @RuleField(() => String, { nullable: true, rule: UTM_RULE }) declare content?: string | null;
}

@InputType()
class PreviewInput {
  @RuleField(() => String, { nullable: true, rule: { maxLength: 300 } }) declare title?: string | null;
  @RuleField(() => String, { nullable: true, rule: { maxLength: 1000 } }) declare description?: string | null;
  @RuleField(() => String, { nullable: true, rule: { format: 'uri', maxLength: 8192 } }) declare imageUrl?:
    | string
    | null;
}

@InputType()
class LinkFields {
  @RuleField(() => String, {
    nullable: true,
    description: 'Host of the short URL; unset: the default domain of the project.',
    rule: { format: 'host', maxLength: 260, notNull: true },
  })
  declare domain?: string;

  @RuleField(() => String, {
    nullable: true,
    description: 'Unset at creation: 7 characters are made.',
    rule: { format: 'slug', minLength: 1, maxLength: 190, notNull: true },
  })
  declare slug?: string;

  @RuleField(() => JsonObject, { nullable: true, rule: { schema: ROUTING_SCHEMA } })
  declare routing?: Record<string, unknown> | null;

  @RuleField(() => JsonObject, {
    nullable: true,
    description: 'Free-form payload for the app, at most 16 KiB.',
    rule: { 'x-max-bytes': 16_384 },
  })
  declare data?: Record<string, unknown> | null;

  @RuleField(() => [String], {
    nullable: true,
    description: 'Names; unknown ones are made.',
    rule: {
      maxItems: 50,
      items: TAG_NAME_RULE,
    },
  })
  declare tags?: string[] | null;

  @RuleField(() => String, { nullable: true, rule: { maxLength: 500 } }) declare title?: string | null;
  @RuleField(() => String, { nullable: true, rule: { maxLength: 5000 } }) declare notes?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Visitors are asked for it. Stored as an argon2id hash and never returned; null: nobody is asked.',
    // Shorter ones are guessed within the wrong passwords that a link takes from everybody in some minutes.
    rule: { minLength: 4, maxLength: 200 },
  })
  declare password?: string | null;

  @RuleField(() => UtmInput, { nullable: true }) declare utm?: UtmInput | null;
  @RuleField(() => PreviewInput, { nullable: true }) declare preview?: PreviewInput | null;
  @RuleField(() => Time, { nullable: true, description: 'Before it the link leads nowhere.' })
  declare startsAt?: Date | null;
  @RuleField(() => Time, {
    nullable: true,
    description:
      'From then on the link is expired, at once if that is past already: links that are over can be brought along from elsewhere, and a link is ended by the present time. The answer says so in `status`.',
  })
  declare expiresAt?: Date | null;
  @RuleField(() => String, { nullable: true, rule: URL_RULE }) declare expiredDestination?: string | null;
  @RuleField(() => Int, {
    nullable: true,
    description: 'Clicks of people after which the link is expired.',
    rule: { minimum: 1 },
  })
  declare clickLimit?: number | null;
  @RuleField(() => Int, { nullable: true, rule: { minimum: 60, maximum: 86_400 } }) declare matchWindowSeconds?:
    | number
    | null;
}

/** A link that the path names by its external id: its destination is needed when there is none yet. */
@InputType()
export class UpsertLinkInput extends LinkFields implements LinkInput {
  @RuleField(() => String, {
    nullable: true,
    description: 'Needed when there is no link with this external id yet.',
    rule: { ...URL_RULE, minLength: 1, notNull: true },
  })
  declare destination?: string;
}

@InputType()
class NamedLinkFields extends LinkFields {
  @RuleField(() => String, { nullable: true, rule: { minLength: 1, maxLength: 200 } }) declare externalId?:
    | string
    | null;
}

@InputType()
export class CreateLinkInput extends NamedLinkFields implements LinkInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    description: 'An http(s) URL, or one with the scheme of an app of the project.',
    rule: { ...URL_RULE, minLength: 1 },
  })
  declare destination: string;
}

@InputType()
export class UpdateLinkInput extends NamedLinkFields implements LinkInput {
  @RuleField(() => String, { nullable: true, rule: { ...URL_RULE, minLength: 1, notNull: true } })
  declare destination?: string;
  @RuleField(() => Boolean, { nullable: true, rule: { notNull: true } }) declare archived?: boolean;
}

@ArgsType()
export class LinkFilterArgs implements LinkFilter {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Part of slug, destination or title.',
    rule: { minLength: 1, maxLength: 200 },
  })
  declare search?: string;
  @RuleField(() => String, { nullable: true, description: 'Name of a tag.', rule: { minLength: 1, maxLength: 100 } })
  declare tag?: string;
  @RuleField(() => String, { nullable: true, rule: { format: 'host', maxLength: 260 } }) declare domain?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: LINK_STATUSES } }) declare status?: string;
  @RuleField(() => String, { nullable: true, rule: { minLength: 1, maxLength: 200 } }) declare externalId?: string;
  @RuleField(() => String, { nullable: true, rule: { minLength: 1, maxLength: 40 } }) declare batchId?: string;
  @RuleField(() => Time, { nullable: true, description: 'Made at this moment or later.' }) declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Made before this moment.' }) declare createdBefore?: Date;
}

@ArgsType()
export class LinkPageArgs extends PageArgs implements LinkSort {
  @RuleField(() => String, { nullable: true, rule: { enum: ['created_at', 'clicks', 'last_clicked_at'] } })
  declare sort?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: ['asc', 'desc'] } }) declare order?: string;
}

@ArgsType()
export class LinkCountArgs extends LinkFilterArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'What the links are counted by; a link counts with each of its tags.',
    rule: { enum: ['status', 'tag', 'domain'] satisfies LinkGrouping[] },
  })
  declare groupBy?: LinkGrouping;
}

@ArgsType()
export class LinkLookupArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Together with slug.',
    rule: { format: 'host', maxLength: 260 },
  })
  declare domain?: string;
  @RuleField(() => String, { nullable: true, rule: { minLength: 1, maxLength: 190 } }) declare slug?: string;
  @RuleField(() => String, { nullable: true, rule: { minLength: 1, maxLength: 200 } }) declare externalId?: string;
  @RuleField(() => String, { nullable: true, rule: { format: 'uri', maxLength: 500 } }) declare shortUrl?: string;
}

@ArgsType()
export class UpsertLinkArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 200 } }) declare externalId: string;
}
