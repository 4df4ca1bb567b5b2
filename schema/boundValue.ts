import type { JsonSchema } from './inputSchema.ts';

/** Unknown names of an object that are looked at: few enough to leave room in the list for what is wrong with known ones. */
const MAX_UNKNOWN = 30;

/** A value, and how many of its parts were left out because they could only be refused like those before them. */
interface Bounded {
  value: unknown;
  left: number;
}

/**
 * The value without what lies beyond its bounds, so that the work of checking it has one: of a list that is too long the
 * first entry beyond, of the names that an object does not have the first thirty. What is left out was refused already by
 * what is kept, so that a valid value stays as it is.
 */
export function boundValue(value: unknown, schema: JsonSchema): Bounded {
  if (value === null || typeof value !== 'object') return { value, left: 0 };
  const branches = [schema, ...((schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[])];
  return Array.isArray(value) ? boundList(value, branches) : boundObject(value as Record<string, unknown>, branches);
}

function boundList(list: readonly unknown[], branches: readonly JsonSchema[]): Bounded {
  const limits = branches.map(mostEntries).filter((limit) => limit !== undefined);
  const kept = limits.length > 0 ? list.slice(0, Math.max(...limits) + 1) : list;
  const items = branches.find((branch) => branch.items)?.items as JsonSchema | undefined;
  let left = list.length - kept.length;
  const values = items
    ? kept.map((entry) => {
        const bounded = boundValue(entry, items);
        left += bounded.left;
        return bounded.value;
      })
    : kept;
  return { value: left > 0 ? values : list, left };
}

/** A list of different words is no longer than the list of all words. */
function mostEntries({ maxItems, uniqueItems, items }: JsonSchema): number | undefined {
  const words = (items as JsonSchema | undefined)?.enum as unknown[] | undefined;
  return (maxItems as number | undefined) ?? (uniqueItems && words ? words.length : undefined);
}

function boundObject(object: Record<string, unknown>, branches: readonly JsonSchema[]): Bounded {
  const known = new Map(branches.flatMap(({ properties }) => Object.entries((properties ?? {}) as object)));
  const isClosed = branches.some(({ additionalProperties }) => additionalProperties === false);
  const kept: [string, unknown][] = [];
  let unknown = 0;
  let left = 0;
  for (const name of Object.keys(object)) {
    const schema = known.get(name) as JsonSchema | undefined;
    if (!schema && isClosed) unknown += 1;
    if (!schema && isClosed && unknown > MAX_UNKNOWN) {
      left += 1;
      continue;
    }
    const bounded = schema ? boundValue(object[name], schema) : { value: object[name], left: 0 };
    left += bounded.left;
    kept.push([name, bounded.value]);
  }
  return { value: left > 0 ? Object.fromEntries(kept) : object, left };
}
