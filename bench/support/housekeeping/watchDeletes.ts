import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { database } from '../../../src/db/connection/database.ts';
import { SqliteConnection } from '../../../src/db/connection/SqliteConnection.ts';

export interface Deletes {
  /** Milliseconds of each transaction that deleted, from BEGIN to COMMIT, without waiting for its turn. */
  spent: number[];
  /** When the last one ended. */
  lastAt: number;
  /** Each statement that deleted, with the values of its last run. */
  statements: Map<string, readonly unknown[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: methods of other packages, whatever they take
type Method = (...args: any[]) => any;

/** Watches the open store of this process for transactions that delete. */
export function watchDeletes(): Deletes {
  const deletes: Deletes = { spent: [], lastAt: 0, statements: new Map() };
  const running = new AsyncLocalStorage<{ deleted: boolean }>();
  const note = (sql: unknown, values: unknown) => {
    if (typeof sql !== 'string' || !sql.includes('DELETE FROM')) return;
    const mark = running.getStore();
    if (mark) mark.deleted = true;
    const list = Array.isArray(values) ? values : Object.values((values ?? {}) as object);
    deletes.statements.set(sql, list);
  };
  wrap(SqliteConnection.prototype, 'all', (original, args) => {
    note(args[0], args[1]);
    return original(...args);
  });
  wrap(pg.Client.prototype, 'query', (original, args) => {
    note(args[0]?.text, args[0]?.values);
    return original(...args);
  });
  wrap(database(), 'transaction', (original, args) =>
    running.run({ deleted: false }, async () => {
      const mark = running.getStore();
      const startedAt = performance.now();
      try {
        return await original(...args);
      } finally {
        if (mark?.deleted) {
          deletes.lastAt = performance.now();
          deletes.spent.push(deletes.lastAt - startedAt);
        }
      }
    }),
  );
  return deletes;
}

function wrap(owner: object, name: string, around: (original: Method, args: Parameters<Method>) => unknown): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (this: unknown, ...args) {
    return around(original.bind(this), args);
  };
}
