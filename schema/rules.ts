import { Extensions, Field } from 'type-graphql';

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
  /** What is said instead of "does not match the pattern". */
  'x-message'?: string;
  /** Replaces what follows from the type: the schema of a free-form value. */
  schema?: Record<string, unknown>;
  /** May be left out, but not be null. */
  notNull?: true;
  /** Comes from the key (its project), never from the wire. */
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

/** Declares a field of an input or arguments type together with its rule. */
export function RuleField(
  type: () => unknown,
  { nullable = false, description, rule }: Options = {},
): PropertyDecorator {
  return (target, property) => {
    Field(type as never, { nullable, ...(description ? { description } : {}) })(target, property as string);
    if (!rule) return;
    Extensions({ rule })(target, property as string);
    declared.set(target, (declared.get(target) ?? new Map()).set(property as string, rule));
  };
}
