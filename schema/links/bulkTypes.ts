import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ERROR_STATUS } from '../../src/kernel/errors.ts';
import type { LinkRow } from '../../src/services/links/parseLinkRow.ts';
import { type Rule, RuleField } from '../rules.ts';
import { JsonObject } from '../scalars.ts';
import { LinkType } from './LinkType.ts';
import { UpdateLinkInput } from './linkInputs.ts';

/** Links in one call. */
const MAX_LINKS = 1000;
/** What became of a link of a list. */
const BULK_OUTCOMES = ['created', 'updated', 'deleted', 'failed'];
const IDS: Rule = { minItems: 1, maxItems: MAX_LINKS, items: { minLength: 1, maxLength: 260 } };

@ObjectType('FieldProblem')
class FieldProblemType {
  @Field(() => String) declare path: string;
  @Field(() => String) declare message: string;
}

@ObjectType('BulkError', { description: 'Why one link of a list failed.' })
class BulkErrorType {
  @RuleField(() => String, { rule: { 'x-name': 'ErrorCode', enum: Object.keys(ERROR_STATUS) } }) declare code: string;
  @Field(() => String) declare message: string;
  @Field(() => [FieldProblemType], { nullable: true, description: 'Every bad field, for validation_failed alone.' })
  declare fields: FieldProblemType[] | null;
}

@ObjectType('BulkResult')
export class BulkResultType {
  @Field(() => Int, { description: 'Place in the list that was sent, from 0.' }) declare index: number;
  @RuleField(() => String, { description: 'created, updated, deleted or failed.', rule: { enum: BULK_OUTCOMES } })
  declare status: string;
  @Field(() => LinkType, { nullable: true, description: 'The link; of a deleted one, as it was.' })
  declare link: LinkType | null;
  @Field(() => BulkErrorType, { nullable: true }) declare error: BulkErrorType | null;
}

@ObjectType('BulkCreateCounts')
class BulkCreateCountsType {
  @Field(() => Int) declare created: number;
  @Field(() => Int) declare failed: number;
}

@ObjectType('BulkUpdateCounts')
class BulkUpdateCountsType {
  @Field(() => Int) declare updated: number;
  @Field(() => Int) declare failed: number;
}

@ObjectType('BulkDeleteCounts')
class BulkDeleteCountsType {
  @Field(() => Int) declare deleted: number;
  @Field(() => Int) declare failed: number;
}

@ObjectType('BulkCreate')
export class BulkCreateType {
  @Field(() => ID) declare batchId: string;
  @Field(() => BulkCreateCountsType) declare counts: BulkCreateCountsType;
  @Field(() => [BulkResultType]) declare results: BulkResultType[];
}

@ObjectType('BulkUpdate')
export class BulkUpdateType {
  @Field(() => ID) declare batchId: string;
  @Field(() => BulkUpdateCountsType) declare counts: BulkUpdateCountsType;
  @Field(() => [BulkResultType]) declare results: BulkResultType[];
}

@ObjectType('BulkDelete')
export class BulkDeleteType {
  @Field(() => ID) declare batchId: string;
  @Field(() => BulkDeleteCountsType) declare counts: BulkDeleteCountsType;
  @Field(() => [BulkResultType]) declare results: BulkResultType[];
}

@InputType()
export class BulkCreateLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [JsonObject], {
    description: 'Links as POST /links takes them, in the spelling of REST. A bad one fails alone.',
    rule: { minItems: 1, maxItems: MAX_LINKS, items: { schema: { type: 'object', 'x-input': 'CreateLinkInput' } } },
  })
  declare links: LinkRow[];
}

@InputType()
export class BulkUpdateLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [String], { description: 'Ids, or `ext_` and your own ids.', rule: IDS }) declare ids: string[];
  @RuleField(() => UpdateLinkInput, { description: 'What PATCH /links/{id} takes.' }) declare set: UpdateLinkInput;
}

@InputType()
export class BulkDeleteLinksInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => [String], { description: 'Ids, or `ext_` and your own ids.', rule: IDS }) declare ids: string[];
}
