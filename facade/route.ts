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
import { type JsonSchema, ruleOf, schemaOfInputs } from '../schema/inputSchema.ts';
import { compileValidator, type Validator } from '../schema/validate.ts';
import { snakeCase } from '../src/kernel/wire.ts';
import { APIS, type Api } from './apis.ts';
import { ROUTES } from './routes/index.ts';
import type { Route } from './routes/Route.ts';

/** The query parameter of operations that rehearse; it is no argument of their documents. */
export const DRY_RUN = {
  name: 'dry_run',
  description:
    'Answers what would happen, with `SVC-Dry-Run: true`, and keeps nothing: no change, no event, no stored ' +
    '`Idempotency-Key`. Ids in the answer are not kept either. It counts against the rate limit.',
  schema: { type: 'boolean', default: false },
} as const;

/** A row of the table, with what is derived from its document and the schema. */
export interface CompiledRoute extends Route {
  on: Api;
  compiled: DocumentNode;
  /** See `overQuota` of Route. */
  compiledOverQuota: DocumentNode | null;
  operation: OperationDefinitionNode;
  /** The variables in the path, by their placeholder. */
  pathVariables: Map<string, string>;
  /** The arguments that are query parameters. */
  queryArguments: GraphQLArgument[];
  /** The type of `$input`, if the operation takes a body. */
  bodyType: GraphQLInputObjectType | null;
  /** The body has a required field. */
  needsBody: boolean;
  /** The arguments and body fields that are derived from the key. */
  impliedArguments: string[];
  impliedBodyFields: string[];
  validateQuery: Validator;
  validateBody: Validator;
}

/** Whether a success is JSON, or nothing at all. */
export function answersJson({ answer }: Route): boolean {
  return answer === undefined || answer === 'json' || answer === 'upsert';
}

/** Whether responses are kept for retries with an Idempotency-Key. */
export function keepsAnswers({ method, on }: CompiledRoute): boolean {
  return method === 'POST' && on === APIS.rest;
}

/** Every row of the table, checked. Throws an error that names an invalid row, which prevents the start. */
export function compileRoutes(schema: GraphQLSchema): CompiledRoute[] {
  return ROUTES.map((route) => compileRoute(route, schema));
}

/** Checks a row against the schema. Throws an error that names an invalid row, which prevents the start. */
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
      on: APIS[route.api ?? 'rest'],
      compiled,
      compiledOverQuota: route.overQuota ? parseFor(schema, route.overQuota) : null,
      operation,
      pathVariables,
      queryArguments,
      bodyType,
      needsBody: bodyFields.some((field) => isRequiredInputField(field) && ruleOf(field).implied === undefined),
      impliedArguments: [...args].filter(([, arg]) => isImplied(arg)).map(([name]) => name),
      impliedBodyFields: bodyFields.filter((field) => ruleOf(field).implied !== undefined).map((field) => field.name),
      validateQuery: compileValidator(schemaOfQuery(route, queryArguments), { coerce: true }),
      validateBody: compileValidator(schemaOfInputs(bodyFields, 'wire')),
    };
  } catch (error) {
    throw new Error(`Route ${route.id} (${route.method} ${route.path}): ${(error as Error).message}`);
  }
}

/** A document that fits the schema. Throws what is wrong with it. */
export function parseFor(schema: GraphQLSchema, text: string): DocumentNode {
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error) throw error;
  return document;
}

/** The cursor of a CSV stream is not a parameter: `streamCsv` advances it. */
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

/** The arguments of the root field, by the name of their variable. */
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

/** What the query parameters of a row are checked by. */
export function schemaOfQuery({ rehearses }: Route, args: GraphQLArgument[]): JsonSchema {
  const { properties, ...rest } = schemaOfInputs(args.map(neverNull), 'wire') as { properties: JsonSchema };
  return { ...rest, properties: { ...properties, ...(rehearses ? { [DRY_RUN.name]: DRY_RUN.schema } : {}) } };
}

/** A query parameter is present or absent; it cannot be null. */
function neverNull(arg: GraphQLArgument): GraphQLArgument {
  return { ...arg, extensions: { ...arg.extensions, rule: { ...ruleOf(arg), notNull: true } } };
}
