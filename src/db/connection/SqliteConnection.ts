import { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';
import { isTraced } from '../../kernel/tracing.ts';
import { beginStatement } from './tracedStatements.ts';

/** The callback of Sequelize's SQLite dialect, which reads `changes` and `lastID` of the statement in `this`. */
type Done = (this: unknown, error: Error | null, rows?: unknown[]) => void;

/** Results of `PRAGMA table_info`, which Sequelize runs before each SELECT, by statement. */
export type TableInfos = Map<string, unknown[]>;

const TABLE_INFO = /^PRAGMA table_info\(/;
/** Only migrations change tables, before anything else is read. */
const DEFINES = /^\s*(CREATE|ALTER|DROP)\b/i;
/** Constant statements without parameters. */
const PLAIN = new Set(['BEGIN IMMEDIATE TRANSACTION;', 'COMMIT;', 'ROLLBACK;']);
/** Prepared statements that are kept; the product has some hundred with parameters. */
const MAX_STATEMENTS = 300;

/**
 * A SQLite connection with the interface that Sequelize expects, which prepares each statement once: sqlite3 passes
 * preparing, running and finalizing to a thread one by one, and each round trip costs more than most statements. One
 * statement runs at a time; the others wait here instead of occupying a thread of the pool.
 */
export class SqliteConnection {
  readonly #database: sqlite3.Database;
  readonly #tableInfos: TableInfos;
  readonly #statements = new LRUCache<string, sqlite3.Statement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => void statement.finalize(),
  });
  readonly #waiting: ((done: () => void) => void)[] = [];
  #isBusy = false;

  static open(file: string, tableInfos: TableInfos): Promise<SqliteConnection> {
    return new Promise((resolve, reject) => {
      const database: sqlite3.Database = new sqlite3.Database(file, (error) =>
        error ? reject(error) : resolve(new SqliteConnection(database, tableInfos)),
      );
    });
  }

  private constructor(database: sqlite3.Database, tableInfos: TableInfos) {
    this.#database = database;
    this.#tableInfos = tableInfos;
  }

  /** Sequelize requires this method; statements run in order anyway. */
  serialize(work: () => void): void {
    work();
  }

  all(sql: string, ...rest: unknown[]): void {
    const known = TABLE_INFO.test(sql) ? this.#tableInfos.get(sql) : undefined;
    const done = rest.at(-1) as Done;
    if (known) {
      done.call(this, null, known);
      return;
    }
    this.#run('all', sql, parametersOf(rest), (statement, error, rows) => {
      if (!error && rows && TABLE_INFO.test(sql)) this.#tableInfos.set(sql, rows);
      done.call(statement, error, rows);
    });
  }

  run(sql: string, ...rest: unknown[]): void {
    const done = rest.at(-1) as Done;
    this.#run('run', sql, parametersOf(rest), (statement, error) => done.call(statement, error));
  }

  exec(sql: string, done: (error: Error | null) => void): void {
    this.#queue((next) =>
      this.#database.exec(sql, (error) => {
        next();
        done(error);
      }),
    );
  }

  close(done: (error: Error | null) => void): void {
    this.#queue((next) => {
      this.#statements.clear();
      this.#database.close((error) => {
        next();
        done(error);
      });
    });
  }

  #run(method: 'all' | 'run', sql: string, parameters: object, ended: Ended): void {
    const done = isTraced() ? tracedEnd(sql, ended) : ended;
    const isKept = PLAIN.has(sql) || Object.keys(parameters).length > 0;
    this.#queue((next) => {
      const statement = this.#prepare(sql, isKept, (error) => {
        next();
        done(this, error);
      });
      statement[method](parameters, function (this: unknown, error: Error | null, rows?: unknown[]) {
        finish(statement, error);
        next();
        done(this, error, rows);
      });
    });
    // After an error the statement is prepared again: it may keep its read position.
    const finish = (statement: sqlite3.Statement, error: Error | null) => {
      if (!isKept) statement.finalize();
      else if (error) this.#statements.delete(sql);
      if (DEFINES.test(sql)) this.#tableInfos.clear();
    };
  }

  /** Calls `failed` instead of running the statement if it cannot be prepared. */
  #prepare(sql: string, isKept: boolean, failed: (error: Error) => void): sqlite3.Statement {
    const known = isKept ? this.#statements.get(sql) : undefined;
    if (known) return known;
    const statement = this.#database.prepare(sql, (error: Error | null) => {
      if (!error) return;
      this.#statements.delete(sql);
      failed(error);
    });
    if (isKept) this.#statements.set(sql, statement);
    return statement;
  }

  #queue(work: (done: () => void) => void): void {
    this.#waiting.push(work);
    if (!this.#isBusy) this.#next();
  }

  #next = (): void => {
    const work = this.#waiting.shift();
    this.#isBusy = work !== undefined;
    work?.(this.#next);
  };
}

/** The parameters before the callback, a list or an object by name; an empty list if there are none. */
function parametersOf(rest: unknown[]): object {
  const [given] = rest;
  return rest.length > 1 && typeof given === 'object' && given !== null ? given : [];
}

type Ended = (statement: unknown, error: Error | null, rows?: unknown[]) => void;

/** Ends the part of the span that the statement is. */
function tracedEnd(sql: string, ended: Ended): Ended {
  const end = beginStatement(sql, 'sqlite');
  return (statement, error, rows) => {
    end(error);
    ended(statement, error, rows);
  };
}
