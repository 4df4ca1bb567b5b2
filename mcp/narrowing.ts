import { TOOLSETS, type Toolset } from './tool.ts';

/** What the URL of a connection takes away. It can never add anything. */
export interface Narrowing {
  isReadOnly: boolean;
  /** Null: all. */
  toolsets: ReadonlySet<Toolset> | null;
  /** Records that may be changed in an hour; undefined: as many as the installation allows. */
  budget: number | undefined;
  /** `person`: what must be confirmed is refused where nobody can be asked. */
  confirm: 'person' | 'code';
}

/** Whether something of a group is there for this connection; what belongs to no group is there for all. */
export function isWithin({ toolsets }: Narrowing, toolset: Toolset | null): boolean {
  return toolsets === null || toolset === null || toolsets.has(toolset);
}

/** Reads the query of `/mcp`. Returns what is wrong with it as a sentence: a typing error must not widen what is allowed. */
export function narrowingOf(query: URLSearchParams): Narrowing | string {
  const narrowing: Narrowing = { isReadOnly: false, toolsets: null, budget: undefined, confirm: 'code' };
  for (const [name, value] of query) {
    const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (!read) return `Unknown parameter ${name.slice(0, 40)}. Known: ${Object.keys(READERS).join(', ')}.`;
    if (query.getAll(name).length > 1) return `${name} was given more than once.`;
    const problem = read(value, narrowing);
    if (problem) return `${name}: ${problem}`;
  }
  return narrowing;
}

const READERS: Record<string, (value: string, into: Narrowing) => string | undefined> = {
  read_only(value, into) {
    if (value !== 'true' && value !== 'false') return 'must be true or false.';
    into.isReadOnly = value === 'true';
  },
  toolsets(value, into) {
    const names = value.split(',');
    if (!names.every(isToolset)) return `must be a list of ${TOOLSETS.join(', ')}.`;
    into.toolsets = new Set(names as Toolset[]);
  },
  budget(value, into) {
    if (!/^\d{1,9}$/.test(value)) return 'must be a whole number.';
    into.budget = Number(value);
  },
  confirm(value, into) {
    if (value !== 'person' && value !== 'code') return 'must be person or code.';
    into.confirm = value;
  },
};

function isToolset(name: string): name is Toolset {
  return (TOOLSETS as readonly string[]).includes(name);
}
