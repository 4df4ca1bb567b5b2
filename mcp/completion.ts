import { isWithin } from './narrowing.ts';
import { cleaned } from './results.ts';
import type { Toolset } from './tool.ts';
import type { ToolCall } from './toolCall.ts';

const MAX_VALUES = 20;
/** Longer texts begin nothing that is completed. */
const MAX_TYPED = 300;

interface Completion {
  /** The group of tools that shows the same; null: it is of no project. */
  toolset: Toolset | null;
  values(call: ToolCall, prefix: string, given: Record<string, string>): Promise<string[]> | string[];
}

/** What is completed, by the name of the argument, wherever it stands. A scope that the key lacks gives nothing. */
const COMPLETIONS: Record<string, Completion> = {
  page: { toolset: null, values: ({ parts }) => parts.docs.topics().map(({ name }) => name) },
  operation: {
    toolset: null,
    values: ({ parts }) => parts.api.operations.filter(({ api }) => api === 'rest').map(({ id }) => id),
  },
  domain: { toolset: 'core', values: domains },
  slug: { toolset: 'core', values: slugs },
  tag: { toolset: 'core', values: tags },
  period: { toolset: null, values: () => ['24h', '7d', '30d', '90d'] },
};

/** Values that begin with what was typed, at most 20. */
export async function complete(
  call: ToolCall,
  argument: { name: string; value: string },
  given: Record<string, string>,
) {
  const { name, value } = argument;
  const completion = value.length <= MAX_TYPED && Object.hasOwn(COMPLETIONS, name) ? COMPLETIONS[name] : undefined;
  const isOffered = completion && isWithin(call.narrowing, completion.toolset);
  const known = isOffered ? await completion.values(call, value, given) : [];
  const fitting = [...new Set(known)].filter((candidate) => candidate.toLowerCase().startsWith(value.toLowerCase()));
  const values = fitting.slice(0, MAX_VALUES).map(cleaned);
  return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } };
}

async function domains(call: ToolCall): Promise<string[]> {
  const page = await call.tryOut('listDomains', { query: { limit: '100' } });
  const key = await call.tryOut('getCurrentKey');
  const hostnames = page.ok ? (page.body as { data: { hostname: string }[] }).data.map(({ hostname }) => hostname) : [];
  return [
    ...(key.ok ? [(key.body as { project: { default_domain: string } }).project.default_domain] : []),
    ...hostnames,
  ];
}

async function slugs(call: ToolCall, prefix: string, { domain }: Record<string, string>): Promise<string[]> {
  const query = { limit: '100', ...(prefix ? { search: prefix.slice(0, 200) } : {}), ...(domain ? { domain } : {}) };
  const page = await call.tryOut('listLinks', { query });
  return page.ok ? (page.body as { data: { slug: string }[] }).data.map(({ slug }) => slug) : [];
}

async function tags(call: ToolCall): Promise<string[]> {
  const page = await call.tryOut('listTags', { query: { limit: '100' } });
  return page.ok ? (page.body as { data: { name: string }[] }).data.map(({ name }) => name) : [];
}
