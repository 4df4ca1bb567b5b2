import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { boundProblems } from './argumentBounds.ts';
import { isWithin, type Narrowing } from './narrowing.ts';
import { nearest } from './nearest.ts';
import type { ApiTable, FieldProblem, Json, Operation, Parts, Session } from './parts.ts';
import { argumentsOf, slimSchema } from './slimSchema.ts';
import type { Argument, CompiledTool, Tool } from './tool.ts';
import { CODE_TOOLS } from './tools/code.ts';
import { APP_TOOLS, DOMAIN_TOOLS } from './tools/domainsAndApps.ts';
import { GENERIC_TOOLS } from './tools/generic.ts';
import { INSIGHT_TOOLS } from './tools/insight.ts';
import { LINK_TOOLS } from './tools/links.ts';
import { WEBHOOK_TOOLS } from './tools/webhooks.ts';

/** Every tool, in the order of the list. */
export const TOOLS: readonly Tool[] = [
  ...INSIGHT_TOOLS,
  ...LINK_TOOLS,
  ...GENERIC_TOOLS,
  ...WEBHOOK_TOOLS,
  ...DOMAIN_TOOLS,
  ...APP_TOOLS,
  ...CODE_TOOLS,
];

/** The tools of an installation, compiled once. Those of `code` are among them where their engine is. */
export function compileTools({ api, code }: Pick<Parts, 'api' | 'code'>): CompiledTool[] {
  return TOOLS.filter(({ toolset }) => toolset !== 'code' || code !== undefined).map((tool) => compileTool(tool, api));
}

/** As `tools/list` shows it. */
export function shownTool({ name, description, inputSchema, does, isOpenWorld, isIdempotent }: CompiledTool) {
  return {
    name,
    description,
    inputSchema,
    annotations: {
      readOnlyHint: does === 'reads',
      ...(does === 'reads' ? {} : { destructiveHint: does === 'destroys', idempotentHint: isIdempotent === true }),
      openWorldHint: isOpenWorld === true,
    },
  };
}

/** Why a tool is not for this connection; null when it is. */
export function refusalOfTool(
  tool: CompiledTool,
  session: Session,
  narrowing: Narrowing,
): { code: string; message: string } | null {
  if (!isWithin(narrowing, tool.toolset)) {
    return {
      code: 'not_offered',
      message: `${tool.name} belongs to the toolset ${tool.toolset}, which the URL of this connection leaves out.`,
    };
  }
  if (narrowing.isReadOnly && tool.does !== 'reads') {
    return { code: 'read_only', message: 'The URL of this connection allows reading alone.' };
  }
  const mayWrite = [...session.scopes].some((scope) => scope.endsWith(':write'));
  if (tool.name === 'write_api' && !mayWrite) {
    return { code: 'insufficient_scope', message: 'The key has no scope to write.' };
  }
  if (tool.needs === null || session.scopes.has(tool.needs)) return null;
  return { code: 'insufficient_scope', message: `This needs the scope ${tool.needs}, which the key does not have.` };
}

function compileTool(tool: Tool, api: ApiTable): CompiledTool {
  const uses = tool.operations.map((id) => operationOf(api, id));
  const properties = Object.fromEntries(
    Object.entries(tool.arguments).map(([name, argument]) => [name, schemaOf(argument, api)]),
  );
  const inputSchema: CompiledTool['inputSchema'] = {
    type: 'object',
    properties,
    ...(tool.required ? { required: [...tool.required] } : {}),
  };
  const needs = tool.scope === undefined ? (uses[0]?.scope ?? null) : tool.scope;
  return { ...tool, uses, needs, inputSchema, check: checkOf(inputSchema) };
}

function operationOf(api: ApiTable, id: string): Operation {
  const operation = api.operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`A tool names the operation ${id}, which does not exist`);
  return operation;
}

/** The schema of an argument: its own words, or what the operation says, slimmed. */
function schemaOf(argument: Argument, api: ApiTable): Json {
  if (typeof argument !== 'string' && argument.from === undefined) return argument;
  const { from, ...own } = typeof argument === 'string' ? { from: argument } : (argument as { from: string });
  const [id = '', name = ''] = from.split('.');
  const { properties, required } = argumentsOf(operationOf(api, id), api.schemas);
  if (name === '*') return { ...own, items: bodyItem(properties, required, api) };
  const schema = properties[name];
  if (!schema) throw new Error(`A tool picks ${from}, which does not exist`);
  return { ...briefly(slimSchema(schema, api.schemas)), ...own };
}

/** What an object is made of whose own fields are larger than everything else, and have a page in the documentation. */
const DOCUMENTED: Record<string, string> = {
  routing: 'get_docs topic routing',
  preview: '{title, description, image_url}',
  utm: '{source, medium, campaign, term, content}',
  data: 'Payload for the app',
};

/** Fields that assistants rarely need; they are taken all the same. */
const UNTOLD = new Set(['match_window_seconds', 'managed_by']);

function bodyItem(properties: Record<string, Json>, required: string[], api: ApiTable): Json {
  const told = Object.entries(properties).filter(([name]) => !UNTOLD.has(name));
  const shown = told.map(([name, schema]): [string, Json] => {
    const documented = DOCUMENTED[name];
    return [name, documented ? { type: 'object', description: documented } : briefly(slimSchema(schema, api.schemas))];
  });
  return { type: 'object', properties: Object.fromEntries(shown), required };
}

/** Times say what they are in one word, and descriptions are cut to their first sentence. */
function briefly(schema: Json): Json {
  const { description } = schema as { description?: string };
  if (!description) return schema;
  const [first = description] = description.split(/(?<=[.;])\s/);
  return { ...schema, description: first.replace(/[.;]$/, '') };
}

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });

/** The validator of a tool, compiled when it is called first. */
function checkOf(inputSchema: CompiledTool['inputSchema']): CompiledTool['check'] {
  let validate: ValidateFunction | undefined;
  return (args) => {
    const tooLarge = boundProblems(args, inputSchema);
    if (tooLarge.length > 0) return tooLarge;
    validate ??= ajv.compile({ ...inputSchema, additionalProperties: false });
    return validate(args) ? [] : (validate.errors ?? []).slice(0, 20).map(problemOf);
  };
}

function problemOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): FieldProblem {
  const path = instancePath.split('/').slice(1);
  if (keyword === 'required') return { path: [...path, params.missingProperty].join('.'), message: 'Is required.' };
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema as Json).properties as Json);
    const near = nearest(params.additionalProperty, known);
    const hint = near ? ` Did you mean ${near}?` : ` Known: ${known.join(', ') || 'none'}.`;
    return { path: [...path, params.additionalProperty].join('.'), message: `Is not a known argument.${hint}` };
  }
  const allowed = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : '';
  return { path: path.join('.'), message: `It ${message}${allowed}.` };
}
