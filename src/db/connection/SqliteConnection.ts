import { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';

/** What Sequelize's SQLite dialect calls with `this` as the statement: `changes` and `lastID` are read from it. */
type Done = (this: unknown, error: Error | null, rows?: unknown[]) => void;

/** Names of columns and their types, as `PRAGMA table_info` gives them; Sequelize asks before each SELECT. */
export type TableInfos = Map<string, unknown[]>;

const TABLE_INFO = /^PRAGMA table_info\(/;
/** Migrations alone define tables, before anything else is read. */
const DEFINES = /^\s*(CREATE|ALTER|DROP)\b/i;
/** Statements without values that are always the same. */
const PLAIN = new Set(['BEGIN IMMEDIATE TRANSACTION;', 'COMMIT;', 'ROLLBACK;']);
/** The product has some hundred statements with parameters. */
const REMEMBERED = 300;

/**
 * A connection to the store as Sequelize uses one, which prepares a statement once: sqlite3 hands preparing, running and
 * finalizing to a thread one after the other, and each way there and back costs more than most statements. One statement
 * runs at a time; the others wait here and not in a thread of the pool.
 */
export class SqliteConnection {
  readonly #database: sqlite3.Database;
  readonly #tableInfos: TableInfos;
  readonly #statements = new LRUCache<string, sqlite3.Statement>({
    max: REMEMBERED,
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

  /** Sequelize asks for the order that is kept here anyway. */
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

  #run(
    method: 'all' | 'run',
    sql: string,
    parameters: object,
    done: (statement: unknown, error: Error | null, rows?: unknown[]) => void,
  ): void {
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
    // After an error a statement is made anew: it may hold on to what it was reading.
    const finish = (statement: sqlite3.Statement, error: Error | null) => {
      if (!isKept) statement.finalize();
      else if (error) this.#statements.delete(sql);
      if (DEFINES.test(sql)) this.#tableInfos.clear();
    };
  }

  /** `failed` is called instead of what the statement is asked for when it cannot be prepared. */
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

/** Before the callback: a list, or an object by name; nothing where there are none. */
function parametersOf(rest: unknown[]): object {
  const [given] = rest;
  return rest.length > 1 && typeof given === 'object' && given !== null ? given : [];
}
