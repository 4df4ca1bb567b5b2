import { cleaned } from './results.ts';
import type { ToolCall } from './toolCall.ts';

const MAX_VALUES = 20;
/** Longer texts begin nothing that is completed. */
const MAX_TYPED = 300;

/** What is completed, by the name of the argument, wherever it stands. A scope that the key lacks gives nothing. */
const COMPLETIONS: Record<
  string,
  (call: ToolCall, prefix: string, given: Record<string, string>) => Promise<string[]> | string[]
> = {
  page: ({ parts }) => parts.docs.topics().map(({ name }) => name),
  operation: ({ parts }) => parts.api.operations.filter(({ api }) => api === 'rest').map(({ id }) => id),
  async domain(call) {
    const page = await call.tryOut('listDomains', { query: { limit: '100' } });
    const key = await call.tryOut('getCurrentKey');
    const hostnames = page.ok
      ? (page.body as { data: { hostname: string }[] }).data.map(({ hostname }) => hostname)
      : [];
    return [
      ...(key.ok ? [(key.body as { project: { default_domain: string } }).project.default_domain] : []),
      ...hostnames,
    ];
  },
  async slug(call, prefix, { domain }) {
    const query = {
      limit: '100',
      ...(prefix ? { search: prefix.slice(0, 200) } : {}),
      ...(domain ? { domain: domain.slice(0, MAX_TYPED) } : {}),
    };
    const page = await call.tryOut('listLinks', { query });
    return page.ok ? (page.body as { data: { slug: string }[] }).data.map(({ slug }) => slug) : [];
  },
  async tag(call) {
    const page = await call.tryOut('listTags', { query: { limit: '100' } });
    return page.ok ? (page.body as { data: { name: string }[] }).data.map(({ name }) => name) : [];
  },
  period: () => ['24h', '7d', '30d', '90d'],
};

/** Values that begin with what was typed, at most 20. */
export async function complete(
  call: ToolCall,
  argument: { name: string; value: string },
  given: Record<string, string>,
) {
  const { name, value } = argument;
  const isCompleted = value.length <= MAX_TYPED && Object.hasOwn(COMPLETIONS, name);
  const known = isCompleted ? ((await COMPLETIONS[name]?.(call, value, given)) ?? []) : [];
  const typed = value.slice(0, MAX_TYPED).toLowerCase();
  const fitting = [...new Set(known)].filter((candidate) => candidate.toLowerCase().startsWith(typed));
  const values = fitting.slice(0, MAX_VALUES).map(cleaned);
  return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } };
}
