import { GraphQLDateTimeISO, GraphQLJSON, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { FieldProblem } from '../src/kernel/errors.ts';
import { RuleField } from './rules.ts';

/** Scalars beyond those of GraphQL, under the names that fields use. */
export const Time = GraphQLDateTimeISO;
export const Json = GraphQLJSON;
export const JsonObject = GraphQLJSONObject;
export const SafeInt = GraphQLSafeInt;

/** The arguments of every list. */
@ArgsType()
export class PageArgs {
  @RuleField(() => Int, {
    nullable: true,
    description: 'Rows of a page; 50 when it is not given.',
    rule: { minimum: 1, maximum: 100 },
  })
  declare limit?: number;

  @RuleField(() => String, {
    nullable: true,
    description: 'What the previous page gave for the next one; it only works with the same filters and sort.',
  })
  declare cursor?: string;
}

/** The type `<name>Page` of the pages of a list of `item`. */
export function pageOf<Item extends object>(name: string, item: new () => Item) {
  @ObjectType(`${name}Page`)
  class PageType {
    @Field(() => [item]) declare data: Item[];
    @Field(() => String, { nullable: true }) declare nextCursor: string | null;
  }
  return PageType;
}

@ObjectType('File', { description: 'A file; REST answers its bytes.' })
export class FileType {
  @Field(() => String, { description: 'The media type, such as image/png.' }) declare mediaType: string;
  @Field(() => String, { description: 'The bytes of the file in base64.' }) declare base64: string;
}

@ObjectType('FieldProblem', { description: 'What is wrong with a field.' })
export class FieldProblemType implements FieldProblem {
  @Field(() => String, {
    description:
      'The field, with dots between its parts: in the results of lists as REST spells it, in drafts from the argument on, such as input.expiresAt.',
  })
  declare path: string;
  @Field(() => String, { description: 'What is wrong and what to do, as a sentence.' }) declare message: string;
  @Field(() => String, {
    nullable: true,
    description:
      'The rule that was broken: required, type, enum, const, minLength, maxLength, pattern, format, minimum, maximum, minItems, maxItems, minProperties, uniqueItems, maxBytes, characters or additionalProperties. Null where only the product knows it, such as a host that the project does not have.',
  })
  declare rule?: string | null;
  @Field(() => Json, {
    nullable: true,
    description: 'What the rule demands: its number, the name of its format, or the words of an enum; else null.',
  })
  declare limit?: unknown;
}
