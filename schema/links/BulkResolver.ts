import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { ERROR_STATUS } from '../../src/kernel/errors.ts';
import { yieldToEventLoop } from '../../src/kernel/yield.ts';
import {
  type BulkOutcome,
  bulkCreateLinks,
  bulkDeleteLinks,
  bulkUpdateLinks,
  type LinkRow,
  MAX_TAGS,
} from '../../src/links/bulkService.ts';
import { bulkUpsertLinks } from '../../src/links/bulkUpsertService.ts';
import { FieldProblemType, JsonObject } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { BULK_OUTCOMES } from '../enums.ts';
import { type Rule, RuleField } from '../rules.ts';
import { TAG_NAME_RULE } from '../tags/TagResolver.ts';
import { LinkType } from './LinkType.ts';
import { UpdateLinkInput } from './linkInputs.ts';

/** The most links in one call. */
const MAX_LINKS = 1000;
const IDS: Rule = { minItems: 1, maxItems: MAX_LINKS, items: { minLength: 1, maxLength: 260 } };
const TAG_NAMES: Rule = { minItems: 1, maxItems: MAX_TAGS, items: TAG_NAME_RULE };

@ObjectType('BulkError', { description: 'Why one link of a list failed.' })
class BulkErrorType {
  @RuleField(() => String, {
    description: 'The error code that a single call would have answered.',
    rule: { 'x-name': 'ErrorCode', enum: Object.keys(ERROR_STATUS) },
  })
  declare code: string;
  @Field(() => String, { description: 'What is wrong and what to do, as a sentence.' }) declare message: string;
  @Field(() => [FieldProblemType], { nullable: true, description: 'Every bad field, for validation_failed only.' })
  declare fields: FieldProblemType[] | null;
}

@ObjectType('BulkResult', { description: 'What became of one link of a list.' })
class BulkResultType {
  @Field(() => Int, { description: 'Index in the list that was sent, from 0.' }) declare index: number;
  @RuleField(() => String, {
    description: 'created, updated, unchanged, deleted or failed.',
    rule: { enum: BULK_OUTCOMES },
  })
  declare status: string;
  @Field(() => LinkType, { nullable: true, description: 'The link; a deleted one as it was before.' })
  declare link: LinkType | null;
  @Field(() => BulkErrorType, { nullable: true, description: 'Why it failed; null if it did not.' })
  declare error: BulkErrorType | null;
}

@ObjectType('BulkCreateCounts', { description: 'How many links of a list were created.' })
class BulkCreateCountsType {
  @Field(() => Int, { description: 'Links that were created.' }) declare created: number;
  @Field(() => Int, { description: 'Links that failed.' }) declare failed: number;
}

@ObjectType('BulkUpdateCounts', { description: 'How many links of a list were changed.' })
class BulkUpdateCountsType {
  @Field(() => Int, { description: 'Links that were changed.' }) declare updated: number;
  @Field(() => Int, { description: 'Links that failed.' }) declare failed: number;
}

@ObjectType('BulkUpsertCounts', { description: 'How many links of a list were created and changed.' })
class BulkUpsertCountsType {
  @Field(() => Int, { description: 'Links that were created.' }) declare created: number;
  @Field(() => Int, { description: 'Links that were changed.' }) declare updated: number;
  @Field(() => Int, { description: 'Links that were already as sent; nothing was written.' }) declare unchanged: number;
  @Field(() => Int, { description: 'Links that failed.' }) declare failed: number;
}

@ObjectType('BulkDeleteCounts', { description: 'How many links of a list were deleted.' })
class BulkDeleteCountsType {
  @Field(() => Int, { description: 'Links that were deleted.' }) declare deleted: number;
  @Field(() => Int, { description: 'Links that failed.' }) declare failed: number;
}

@ObjectType('BulkCreate', { description: 'What became of a list of new links.' })
class BulkCreateType {
  @Field(() => ID, { description: 'Shared by the links that it created; a filter of lists.' }) declare batchId: string;
  @Field(() => BulkCreateCountsType, { description: 'How many succeeded and failed.' })
  declare counts: BulkCreateCountsType;
  @Field(() => [BulkResultType], { description: 'One entry for each link, in the order sent.' })
  declare results: BulkResultType[];
}

@ObjectType('BulkUpdate', { description: 'What became of a list of links to change.' })
class BulkUpdateType {
  @Field(() => ID, { description: 'Names this call in events.' }) declare batchId: string;
  @Field(() => BulkUpdateCountsType, { description: 'How many succeeded and failed.' })
  declare counts: BulkUpdateCountsType;
  @Field(() => [BulkResultType], { description: 'One entry for each link, in the order sent.' })
  declare results: BulkResultType[];
}

@ObjectType('BulkUpsert', { description: 'What became of a list of links to create or change.' })
class BulkUpsertType {
  @Field(() => ID, { description: 'Shared by the links that it created; a filter of lists.' }) declare batchId: string;
  @Field(() => BulkUpsertCountsType, { description: 'How many were created, changed, left as they are, and failed.' })
  declare counts: BulkUpsertCountsType;
  @Field(() => [BulkResultType], { description: 'One entry for each link, in the order sent.' })
  declare results: BulkResultType[];
}

@ObjectType('BulkDelete', { description: 'What became of a list of links to delete.' })
class BulkDeleteType {
  @Field(() => ID, { description: 'Names this call in events.' }) declare batchId: string;
  @Field(() => BulkDeleteCountsType, { description: 'How many succeeded and failed.' })
  declare counts: BulkDeleteCountsType;
  @Field(() => [BulkResultType], { description: 'One entry for each link, in the order sent.' })
  declare results: BulkResultType[];
}

@InputType({ description: 'Links to create.' })
class BulkCreateLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [JsonObject], {
    description: 'Links as POST /links takes them, in the spelling of REST. A bad one fails alone.',
    rule: { minItems: 1, maxItems: MAX_LINKS, items: { schema: { type: 'object', 'x-input': 'CreateLinkInput' } } },
  })
  declare links: LinkRow[];
}

@InputType({ description: 'Links to create or change.' })
class BulkUpsertLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [JsonObject], {
    description:
      'Links as PUT /links/external/{external_id} takes them, each with its external_id, in the spelling of REST. A bad one fails alone.',
    rule: {
      minItems: 1,
      maxItems: MAX_LINKS,
      items: { schema: { type: 'object', 'x-input': 'UpsertLinkRowInput' } },
    },
  })
  declare links: LinkRow[];
}

@InputType({ description: 'Links and their change.' })
class BulkUpdateLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [String], { description: 'Ids, or `ext_` and your own ids.', rule: IDS }) declare ids: string[];
  @RuleField(() => UpdateLinkInput, {
    nullable: true,
    description: 'What PATCH /links/{id} takes.',
  })
  declare set?: UpdateLinkInput | null;
  @RuleField(() => [String], {
    nullable: true,
    description: 'Tags that each link gets in addition to its own.',
    rule: TAG_NAMES,
  })
  declare addTags?: string[] | null;
  @RuleField(() => [String], {
    nullable: true,
    description: 'Tags that each link loses.',
    rule: TAG_NAMES,
  })
  declare removeTags?: string[] | null;
}

@InputType({ description: 'Links to delete.' })
class BulkDeleteLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [String], { description: 'Ids, or `ext_` and your own ids.', rule: IDS }) declare ids: string[];
}

@Resolver()
export class BulkResolver {
  @Mutation(() => BulkCreateType, { description: 'Creates up to 1,000 links; one that is refused fails alone.' })
  async bulkCreateLinks(
    @Arg('input', () => BulkCreateLinksInput, { description: 'The links.' }) input: BulkCreateLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return present(await bulkCreateLinks(principal, input));
  }

  @Mutation(() => BulkUpsertType, {
    description: 'Creates or changes up to 1,000 links by their external ids; one that is refused fails alone.',
  })
  async bulkUpsertLinks(
    @Arg('input', () => BulkUpsertLinksInput, { description: 'The links.' }) input: BulkUpsertLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return present(await bulkUpsertLinks(principal, input));
  }

  @Mutation(() => BulkUpdateType, { description: 'Makes the same change to up to 1,000 links.' })
  async bulkUpdateLinks(
    @Arg('input', () => BulkUpdateLinksInput, { description: 'The links and the change.' }) input: BulkUpdateLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return present(await bulkUpdateLinks(principal, input));
  }

  @Mutation(() => BulkDeleteType, { description: 'Deletes up to 1,000 links.' })
  async bulkDeleteLinks(
    @Arg('input', () => BulkDeleteLinksInput, { description: 'The links.' }) input: BulkDeleteLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return present(await bulkDeleteLinks(principal, input));
  }
}

function present({ batchId, counts, results }: BulkOutcome) {
  return { batchId, counts, results: onePromiseEach(results) };
}

/**
 * A promise for each result, fulfilled one after the other with pauses: graphql-js completes a list in one go, which for a
 * thousand links delays redirects.
 */
function onePromiseEach(results: BulkOutcome['results']): Promise<object>[] {
  const pause = yieldToEventLoop();
  let last: Promise<unknown> = Promise.resolve();
  return results.map(({ index, status, link, error }) => {
    const problem = error && { code: error.code, message: error.message, fields: error.fields ?? null };
    const shown = last.then(pause).then(() => ({ index, status, link, error: problem }));
    last = shown;
    return shown;
  });
}
