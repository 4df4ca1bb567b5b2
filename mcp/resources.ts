import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { findLink } from './linkReference.ts';
import { isWithin, type Narrowing } from './narrowing.ts';
import type { Json, Parts } from './parts.ts';
import { bound, ToolRefusal, tamed } from './results.ts';
import { argumentsOf, slimSchema } from './slimSchema.ts';
import type { Toolset } from './tool.ts';
import type { ToolCall } from './toolCall.ts';
import { deliveryView, linkView, noticed } from './views.ts';

const HOUR_MS = 3_600_000;
/** The longest address of a resource: a slug of 255 characters may be percent-encoded, nine characters for each. */
const MAX_URI = 3000;

interface Resource {
  /** RFC 6570, as the list of templates shows it. */
  template: string;
  pattern: RegExp;
  name: string;
  description: string;
  mimeType: string;
  /** The group of tools that shows the same; null: it is of no project. */
  toolset: Toolset | null;
  /** It is the same for everybody. */
  isPublic: boolean;
  /** Null: there is none. */
  read(call: ToolCall, names: string[]): Promise<string | null> | string | null;
}

const RESOURCES: Resource[] = [
  {
    template: 'svc://project',
    pattern: /^svc:\/\/project$/,
    name: 'project',
    description: 'The project of the key.',
    mimeType: 'application/json',
    toolset: 'core',
    isPublic: false,
    read: async (call) => json(await call.ask('getProject', { path: { id: call.session.projectId } })),
  },
  {
    template: 'svc://docs/{page}',
    pattern: /^svc:\/\/docs\/([^/]+)$/,
    name: 'docs',
    description: 'A page of the documentation.',
    mimeType: 'text/markdown',
    toolset: null,
    isPublic: true,
    read: (call, [page = '']) => call.parts.docs.page(page),
  },
  {
    template: 'svc://openapi/{operation}',
    pattern: /^svc:\/\/openapi\/([\w.]+)$/,
    name: 'operation',
    description: 'An operation of the API with its arguments.',
    mimeType: 'application/json',
    toolset: null,
    isPublic: true,
    read: (call, [name = '']) => describeOperation(call.parts, name),
  },
  {
    template: 'link://{domain}/{+slug}',
    pattern: /^link:\/\/(.+)$/,
    name: 'link',
    description: 'A link by its place; also link:// and its id, ext_ and external_id, or short URL.',
    mimeType: 'application/json',
    toolset: 'core',
    isPublic: false,
    read: async (call, [name = '']) => json(linkView(await findLink(call, name), 'full')),
  },
  {
    template: 'svc://webhooks/{id}/deliveries',
    pattern: /^svc:\/\/webhooks\/([^/]+)\/deliveries$/,
    name: 'deliveries',
    description: 'The last 20 deliveries of a webhook.',
    mimeType: 'application/json',
    toolset: 'webhooks',
    isPublic: false,
    read: async (call, [id = '']) => {
      const page = await call.ask('listDeliveries', { path: { webhook_id: id }, query: { limit: '20' } });
      return json({ data: (page.data as unknown[]).map(deliveryView) });
    },
  },
];

const isTemplate = ({ template }: Resource) => template.includes('{');

function within(narrowing: Narrowing): Resource[] {
  return RESOURCES.filter(({ toolset }) => isWithin(narrowing, toolset));
}

/** What can be read without knowing any id: the project, and the pages of the documentation. */
export function listResources({ docs }: Parts, narrowing: Narrowing) {
  const fixed = within(narrowing)
    .filter((resource) => !isTemplate(resource))
    .map(({ template, name, description, mimeType }) => ({ uri: template, name, description, mimeType }));
  const pages = docs.topics().map(({ name, title }) => ({
    uri: `svc://docs/${encodeURIComponent(name)}`,
    name: `docs/${name}`,
    title,
    mimeType: 'text/markdown',
  }));
  return [...fixed, ...pages];
}

export function listTemplates(narrowing: Narrowing) {
  return within(narrowing)
    .filter(isTemplate)
    .map(({ template, name, description, mimeType }) => ({
      uriTemplate: template,
      name,
      description,
      mimeType,
    }));
}

/** Reads a resource, with how long it may be kept. Throws that it is not there for everything that a key may not see. */
export async function readResource(call: ToolCall, uri: string) {
  if (uri.length > MAX_URI) throw new ResourceNotFoundError(uri.slice(0, 300));
  for (const { pattern, mimeType, isPublic, read } of within(call.narrowing)) {
    const found = pattern.exec(uri);
    if (!found) continue;
    const text = await textOf(uri, () => read(call, found.slice(1).map(decoded)));
    return {
      contents: [{ uri, mimeType, text }],
      ttlMs: isPublic ? HOUR_MS : 0,
      cacheScope: isPublic ? ('public' as const) : ('private' as const),
    };
  }
  throw new ResourceNotFoundError(uri.slice(0, 300));
}

async function textOf(uri: string, read: () => Promise<string | null> | string | null): Promise<string> {
  try {
    const text = await read();
    if (text !== null) return text;
  } catch (error) {
    // Of a refusal, whatever it is, nothing but its sentence is told.
    if (!(error instanceof ToolRefusal)) throw error;
    throw new ResourceNotFoundError(uri.slice(0, 300), `${error.refusal.code}: ${error.refusal.message}`);
  }
  throw new ResourceNotFoundError(uri.slice(0, 300));
}

function describeOperation({ api }: Parts, name: string): string | null {
  const operation = api.operations.find(({ id, call }) => id === name || call === name);
  if (operation?.api !== 'rest') return null;
  const { id, method, path, summary, description, scope, codes } = operation;
  const { properties, required } = argumentsOf(operation, api.schemas);
  const slim = Object.fromEntries(
    Object.entries(properties).map(([argument, schema]) => [argument, slimSchema(schema, api.schemas)]),
  );
  return JSON.stringify({
    operation: id,
    method,
    path,
    summary,
    description,
    scope,
    arguments: slim,
    required,
    errors: codes,
  });
}

function json(value: Json): string {
  return JSON.stringify(bound(noticed(tamed(value) as Json), 'ask for less'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
