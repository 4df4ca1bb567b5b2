import { ArgsType, ID } from 'type-graphql';
import type { LinkGrouping } from '../../src/links/linkCountService.ts';
import type { LinkFilter, LinkSort, TagMode } from '../../src/links/linkListService.ts';
import { PageArgs, Time } from '../commonTypes.ts';
import { LINK_GROUPINGS, LINK_SORTS, LINK_STATUSES, SORT_ORDERS, TAG_MODES } from '../enums.ts';
import { MANAGED_BY_FILTER, MANAGED_BY_RULE } from '../ownership.ts';
import { RuleField } from '../rules.ts';

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
  @RuleField(() => [String], {
    nullable: true,
    description: 'Names of tags; tagMode says whether a link needs each of them.',
    rule: { maxItems: 20, items: { minLength: 1, maxLength: 100 } },
  })
  declare tags?: string[];
  @RuleField(() => String, {
    nullable: true,
    description: 'Whether a link needs any or all of `tags`; any when nothing is said.',
    rule: { enum: TAG_MODES },
  })
  declare tagMode?: TagMode;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'true: only links without a tag; false: only those with one.',
  })
  declare isUntagged?: boolean;
  @RuleField(() => ID, {
    nullable: true,
    description: 'Only links that this user or key created, as far back as the audit log goes.',
    rule: { minLength: 1, maxLength: 255 },
  })
  declare createdBy?: string;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'true: only links with routing; false: only those without.',
  })
  declare hasRouting?: boolean;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only links on this host.',
    rule: { format: 'host', maxLength: 260 },
  })
  declare domain?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only links with this status.',
    rule: { enum: LINK_STATUSES },
  })
  declare status?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only the link with this id of yours.',
    rule: { minLength: 1, maxLength: 200 },
  })
  declare externalId?: string;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_FILTER, rule: MANAGED_BY_RULE })
  declare managedBy?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only links that this import or bulk call created.',
    rule: { minLength: 1, maxLength: 40 },
  })
  declare batchId?: string;
  @RuleField(() => Time, { nullable: true, description: 'Created at this time or later.' }) declare createdAfter?: Date;
  @RuleField(() => Time, { nullable: true, description: 'Created before this time.' }) declare createdBefore?: Date;
}

@ArgsType()
export class LinkPageArgs extends PageArgs implements LinkSort {
  @RuleField(() => String, {
    nullable: true,
    description: 'What the links are sorted by; created_at when nothing is said.',
    rule: { enum: LINK_SORTS },
  })
  declare sort?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The direction; desc when nothing is said.',
    rule: { enum: SORT_ORDERS },
  })
  declare order?: string;
}

@ArgsType()
export class LinkCountArgs extends LinkFilterArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'What the links are grouped by; a link counts for each of its tags.',
    rule: { enum: LINK_GROUPINGS },
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
  @RuleField(() => String, {
    nullable: true,
    description: 'Together with domain.',
    rule: { minLength: 1, maxLength: 190 },
  })
  declare slug?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Your own id of the link.',
    rule: { minLength: 1, maxLength: 200 },
  })
  declare externalId?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The short URL as it is shared.',
    rule: { format: 'uri', maxLength: 500 },
  })
  declare shortUrl?: string;
}

@ArgsType()
export class UpsertLinkArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { description: 'Your own id of the link.', rule: { minLength: 1, maxLength: 200 } })
  declare externalId: string;
}
