import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { ruleOf, schemaOfInputs } from '../schema/inputSchema.ts';
import { compileValidator, type Validator } from '../schema/validate.ts';
import { snakeCase } from '../src/kernel/snakeCase.ts';
import type { Route } from './Route.ts';
import { SURFACES, type Surface } from './surfaces.ts';

/** A row of the table with what follows from its document and the schema. */
export interface CompiledRoute extends Route {
  on: Surface;
  compiled: DocumentNode;
  /** See `overQuota` in Route.ts. */
  compiledOverQuota: DocumentNode | null;
  operation: OperationDefinitionNode;
  /** Variables that stand in the path, by their names there. */
  pathVariables: Map<string, string>;
  /** Arguments that are given as query parameters. */
  queryArguments: GraphQLArgument[];
  /** The type of `$input`, if the operation takes a body. */
  bodyType: GraphQLInputObjectType | null;
  /** A field of the body cannot be left out. */
  needsBody: boolean;
  /** Arguments and body fields that come from the key. */
  impliedArguments: string[];
  impliedBodyFields: string[];
  validateQuery: Validator;
  validateBody: Validator;
}

/** Answers are kept for repeats with an Idempotency-Key. */
export function keepsAnswers({ method, on }: CompiledRoute): boolean {
  return method === 'POST' && on === SURFACES.rest;
}

/** Checks a row against the schema. Throws an error that names the row: a bad one stops the start. */
export function compileRoute(route: Route, schema: GraphQLSchema): CompiledRoute {
  try {
    const compiled = parseFor(schema, route.document);
    const operation = operationOf(compiled);
    const args = variablesOf(operation, schema);
    const pathVariables = pathVariablesOf(route.path, args);
    const inPath = new Set(pathVariables.values());
    const isImplied = (arg: GraphQLArgument) => ruleOf(arg).implied !== undefined;
    const queryArguments = [...args]
      .filter(([name, arg]) => name !== 'input' && !inPath.has(name) && !isImplied(arg) && !isWalked(route, name))
      .map(([, arg]) => arg);
    const input = args.get('input');
    const bodyType = input ? (getNamedType(input.type) as GraphQLInputObjectType) : null;
    const bodyFields = Object.values(bodyType?.getFields() ?? {});
    return {
      ...route,
      on: SURFACES[route.surface ?? 'rest'],
      compiled,
      compiledOverQuota: route.overQuota ? parseFor(schema, route.overQuota) : null,
      operation,
      pathVariables,
      queryArguments,
      bodyType,
      needsBody: bodyFields.some((field) => isRequiredInputField(field) && ruleOf(field).implied === undefined),
      impliedArguments: [...args].filter(([, arg]) => isImplied(arg)).map(([name]) => name),
      impliedBodyFields: bodyFields.filter((field) => ruleOf(field).implied !== undefined).map((field) => field.name),
      validateQuery: compileValidator(schemaOfInputs(queryArguments.map(neverNull), 'wire'), { coerce: true }),
      validateBody: compileValidator(schemaOfInputs(bodyFields, 'wire')),
    };
  } catch (error) {
    throw new Error(`Route ${route.id} (${route.method} ${route.path}): ${(error as Error).message}`);
  }
}

function parseFor(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error) throw error;
  return document;
}

/** The cursor of a stream is moved by us. */
function isWalked(route: Route, name: string): boolean {
  return route.answer === 'csv' && name === 'cursor';
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  const [definition, ...others] = document.definitions;
  if (
    definition?.kind !== Kind.OPERATION_DEFINITION ||
    others.length > 0 ||
    definition.selectionSet.selections.length !== 1
  ) {
    throw new Error('the document must hold one operation with one root field');
  }
  return definition;
}

/** Which argument of the root field each variable is given to. */
function variablesOf(operation: OperationDefinitionNode, schema: GraphQLSchema): Map<string, GraphQLArgument> {
  const root = operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const [selection] = operation.selectionSet.selections;
  if (selection?.kind !== Kind.FIELD) throw new Error('the root must be a field');
  const field = root?.getFields()[selection.name.value];
  const given = new Map<string, GraphQLArgument>();
  for (const { name, value } of selection.arguments ?? []) {
    const arg = field?.args.find((candidate) => candidate.name === name.value);
    if (!arg || value.kind !== Kind.VARIABLE || value.name.value !== arg.name) {
      throw new Error(`argument ${name.value} must be given the variable of its own name`);
    }
    given.set(arg.name, arg);
  }
  return given;
}

function pathVariablesOf(path: string, args: Map<string, GraphQLArgument>): Map<string, string> {
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return new Map(
    placeholders.map((placeholder) => {
      const variable = [...args.keys()].find((name) => snakeCase(name) === placeholder);
      if (!variable) throw new Error(`{${placeholder}} in the path is no variable of the document`);
      return [placeholder, variable];
    }),
  );
}

/** A query parameter is there or not; it cannot be null. */
function neverNull(arg: GraphQLArgument): GraphQLArgument {
  return { ...arg, extensions: { ...arg.extensions, rule: { ...ruleOf(arg), notNull: true } } };
}
