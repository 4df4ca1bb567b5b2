import { Extensions, Field, registerEnumType } from 'type-graphql';

/**
 * What a value must satisfy beyond its type, as a fragment of JSON Schema (2020-12, as OpenAPI 3.1 has it). Validation,
 * the OpenAPI document and the dashboard's forms read this one rule. `format` names a row of FORMATS in formats.ts; a
 * `schema` with an `x-name` is a component of that name in the document.
 */
export interface Rule {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  uniqueItems?: boolean;
  /** A component of that name in the document, where several fields have the same rule. */
  'x-name'?: string;
  /** For each entry of a list. */
  items?: Rule;
  /** Bytes of the value as JSON. */
  'x-max-bytes'?: number;
  /** The message instead of "does not match the pattern". */
  'x-message'?: string;
  /** Replaces the schema of the type, for free-form values. */
  schema?: Record<string, unknown>;
  /** May be absent, but not null. */
  notNull?: true;
  /** Derived from the key (its project), never sent by REST clients. */
  implied?: 'project';
  default?: unknown;
  examples?: unknown[];
}

interface Options {
  nullable?: boolean;
  description?: string;
  rule?: Rule;
}

const declared = new WeakMap<object, Map<string, Rule>>();

/** The rule that a class or one of its parents declared for a field. */
export function declaredRule(prototype: object | null, field: string): Rule | undefined {
  if (!prototype) return undefined;
  return declared.get(prototype)?.get(field) ?? declaredRule(Object.getPrototypeOf(prototype), field);
}

/** The enums of GraphQL by the list of their words. */
const enums = new WeakMap<readonly string[], object>();

/**
 * A list of words, each with what it means, for the `enum` of rules. A field whose rule names the list has the GraphQL enum
 * of that name, with the words as they are on the wire.
 */
export function fixedWords<Word extends string>(
  name: string,
  description: string,
  meanings: Record<Word, string>,
): readonly Word[] {
  const words = Object.keys(meanings) as Word[];
  const type = Object.fromEntries(words.map((word) => [word, word]));
  const valuesConfig = Object.fromEntries(words.map((word) => [word, { description: meanings[word] }]));
  registerEnumType(type, { name, description, valuesConfig });
  enums.set(words, type);
  return words;
}

/** The enum of the words that a rule allows, or the type that was declared. */
function typeBy({ enum: words, items }: Rule, type: () => unknown): () => unknown {
  const one = words && enums.get(words);
  const each = items?.enum && enums.get(items.enum);
  return one ? () => one : each ? () => [each] : type;
}

/** Declares a field of an input or arguments type together with its rule. */
export function RuleField(
  type: () => unknown,
  { nullable = false, description, rule }: Options = {},
): PropertyDecorator {
  return (target, property) => {
    Field(typeBy(rule ?? {}, type) as never, { nullable, ...(description ? { description } : {}) })(
      target,
      property as string,
    );
    if (!rule) return;
    Extensions({ rule })(target, property as string);
    declared.set(target, (declared.get(target) ?? new Map()).set(property as string, rule));
  };
}
