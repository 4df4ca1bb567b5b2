import type pg from 'pg';
import { beginPart, isTraced } from '../../kernel/tracing.ts';

type Query = (...args: unknown[]) => unknown;

/** Has each statement of a PostgreSQL connection become a part of the span that it runs in. */
export function traceStatementsOf(client: pg.Client): void {
  const query: Query = (...args) => Reflect.apply(Object.getPrototypeOf(client).query, client, args);
  const traced: Query = (...args) => {
    if (!isTraced()) return query(...args);
    const [first] = args as [string | { text?: string }];
    const end = beginStatement(typeof first === 'string' ? first : (first.text ?? ''), 'postgresql');
    const last = args.at(-1);
    if (typeof last === 'function') {
      const done = (error: unknown, ...rest: unknown[]) => {
        end(error);
        last(error, ...rest);
      };
      return query(...args.slice(0, -1), done);
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result;
  };
  Object.assign(client, { query: traced });
}

/** Begins the part of a span for a statement, called by what it does and to which table; values stay out of it. */
export function beginStatement(sql: string, system: 'postgresql' | 'sqlite'): (error?: unknown) => void {
  const { operation, table } = nameOf(sql);
  return beginPart([operation, table].filter(Boolean).join(' '), {
    'db.system.name': system,
    'db.operation.name': operation,
    ...(table ? { 'db.collection.name': table } : {}),
  });
}

/** Sequelize writes values into statements, in quotes. */
const QUOTED = /'(?:[^']|'')*'/g;
const WRITES = /(?<!\bFOR |\bKEY |\bDO )\b(INSERT|UPDATE|DELETE)\b(?: OR \w+)?(?: INTO| FROM)? "?([a-z_][a-z0-9_]*)/i;
const READS = /\bFROM "?([a-z_][a-z0-9_]*)/i;

function nameOf(sql: string): { operation: string; table: string | undefined } {
  const bare = sql.replace(QUOTED, "''");
  const [, verb, written] = WRITES.exec(bare) ?? [];
  if (verb) return { operation: verb.toUpperCase(), table: written };
  const [, first = ''] = /^\s*(\w+)/.exec(bare) ?? [];
  const operation = first.toUpperCase() === 'WITH' ? 'SELECT' : first.toUpperCase();
  return { operation, table: READS.exec(bare)?.[1] };
}
