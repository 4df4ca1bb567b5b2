import sqlite3 from 'sqlite3';

type Row = Record<string, unknown>;

/** A copy under way; the types of sqlite3 leave it out. */
interface Copy {
  /** Known after the first step. */
  readonly pageCount: number;
  readonly remaining: number;
  step(pages: number, done: (error: Error | null, isWhole: boolean) => void): void;
  finish(done: () => void): void;
}

/** Pages of one step of a copy: 4 MB, so that progress shows and the disk serves others in between. */
const PAGES_A_STEP = 1000;

/**
 * A SQLite file by itself, next to the store that the product has open or without any: for backups, and for moving rows to
 * PostgreSQL. Statements run one at a time.
 */
export class SqliteFile {
  readonly #database: sqlite3.Database;

  /**
   * Opens an existing file. It is writable unless `isReadOnly`, which still brings a store up to date whose process was
   * killed: the write-ahead log belongs to it. Throws when there is no such file.
   */
  static async open(file: string, { isReadOnly }: { isReadOnly: boolean }): Promise<SqliteFile> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened: sqlite3.Database = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (error) =>
        error ? reject(error) : resolve(opened),
      );
    });
    const connection = new SqliteFile(database);
    await connection.exec('PRAGMA busy_timeout = 10000; PRAGMA cache_size = -16384');
    if (isReadOnly) await connection.exec('PRAGMA query_only = ON');
    return connection;
  }

  private constructor(database: sqlite3.Database) {
    this.#database = database;
  }

  all<Found extends object = Row>(sql: string, values: readonly unknown[] = []): Promise<Found[]> {
    return new Promise((resolve, reject) =>
      this.#database.all<Found>(sql, [...values], (error, rows) => (error ? reject(error) : resolve(rows))),
    );
  }

  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => this.#database.exec(sql, (error) => (error ? reject(error) : resolve())));
  }

  /**
   * Copies the database page by page into a new file, with everything that this connection's transaction sees. Within a read
   * transaction the copy never starts over, however much others write meanwhile.
   */
  async copyTo(file: string, onProgress: (share: number) => void): Promise<void> {
    const copy = (this.#database as unknown as { backup(file: string): Copy }).backup(file);
    try {
      for (let isWhole = false; !isWhole; ) {
        isWhole = await new Promise<boolean>((resolve, reject) =>
          copy.step(PAGES_A_STEP, (error, done) => (error ? reject(error) : resolve(done))),
        );
        onProgress(copy.pageCount > 0 ? 1 - copy.remaining / copy.pageCount : 1);
      }
    } finally {
      await new Promise<void>((resolve) => copy.finish(() => resolve()));
    }
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => this.#database.close((error) => (error ? reject(error) : resolve())));
  }
}
