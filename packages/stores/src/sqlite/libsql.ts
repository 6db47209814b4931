import { EngineError, messageOf } from "@switchyard/contracts";

/** A value that can be bound to a parameter of an SQL statement. */
export type SqlValue = string | number | Uint8Array | null;

/** A row of a query result, with columns in the order of the SQL statement. */
export type SqlRow = readonly unknown[];

/** A prepared SQL statement that writes. */
export interface WriteStatement {
  /** Runs the SQL statement. Returns the number of changed rows. */
  run(values: readonly SqlValue[]): number;
  /** Returns the first row; `undefined` if there is none. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
}

/** A prepared SQL statement that only reads. */
export interface ReadStatement {
  /** Returns the first row; `undefined` if there is none. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
  /** Returns all rows. */
  all(values: readonly SqlValue[]): SqlRow[];
}

/** A database connection that can write. Contract: one call at a time. */
export interface WriteConnection {
  /** Runs SQL statements without parameters on another thread, so that this thread does not wait for the disk. */
  exec(sql: string): Promise<void>;
  /** Prepares an SQL statement, which will run on this thread. */
  prepare(sql: string): Promise<WriteStatement>;
  /** Closes the connection. */
  close(): void;
}

/** A connection that reads. */
export interface ReadConnection {
  /** Prepares a statement. */
  prepare(sql: string): ReadStatement;
  /** Closes the connection. */
  close(): void;
}

/** The database library. */
export interface Libsql {
  /** Creates a database file and runs statements on it. When the function returns, the file is complete and closed. */
  fill(path: string, sql: string): void;
  /** Opens a database file for writing; creates it if it does not exist. */
  openWriter(path: string): WriteConnection;
  /** Opens a database file for reading. */
  openReader(path: string): ReadConnection;
}

// These types replace those of the library, which contain `any` and are not always correct.
interface RawStatement {
  readonly reader: boolean;
  raw(): unknown;
  run(values: readonly SqlValue[]): { changes: number };
  get(values: readonly SqlValue[]): unknown;
  all(values: readonly SqlValue[]): unknown[];
}
interface RawConnection {
  prepare(sql: string): Promise<RawStatement>;
  exec(sql: string): Promise<void>;
  close(): void;
}

// The members of the library's synchronous and asynchronous entry points that this file uses.
interface Drivers {
  readonly Database: new (path: string) => SyncDatabase;
  readonly PromiseDatabase: new (path: string, options: object) => RawConnection;
}
interface SyncDatabase {
  prepare(sql: string): RawStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

async function importDrivers(): Promise<Drivers> {
  const [{ default: Database }, { default: PromiseDatabase }] = await Promise.all([
    import("libsql"),
    import("libsql/promise"),
  ]);
  return { Database, PromiseDatabase };
}

/** Loads libsql, an optional peer dependency. Throws `store.driver_missing`. */
export async function loadLibsql(load: () => Promise<Drivers> = importDrivers): Promise<Libsql> {
  const { Database, PromiseDatabase } = await load().catch((error: unknown) => {
    const details = { store: "SQLite", packages: "libsql", problem: messageOf(error) };
    throw new EngineError("store.driver_missing", details, { cause: error });
  });
  return {
    fill: (path, sql) => {
      // The synchronous API is used, because the asynchronous API closes the file at an unknown time.
      const database = new Database(path);
      try {
        database.exec(sql);
      } finally {
        database.close();
      }
    },
    openReader: (path) => {
      const database = new Database(path);
      return {
        prepare: (sql) => readStatement(database.prepare(sql)),
        close: () => void database.close(),
      };
    },
    openWriter: (path) => {
      const database = new PromiseDatabase(path, {});
      return {
        exec: (sql) => database.exec(sql),
        prepare: async (sql) => writeStatement(await database.prepare(sql)),
        close: () => database.close(),
      };
    },
  };
}

function writeStatement(statement: RawStatement): WriteStatement {
  if (statement.reader) statement.raw();
  return {
    run: (values) => statement.run(values).changes,
    get: (values) => rowOf(statement.get(values)),
  };
}

function readStatement(statement: RawStatement): ReadStatement {
  statement.raw();
  return {
    get: (values) => rowOf(statement.get(values)),
    all: (values) => statement.all(values).flatMap((row) => (isRow(row) ? [row] : [])),
  };
}

function rowOf(value: unknown): SqlRow | undefined {
  return isRow(value) ? value : undefined;
}

function isRow(value: unknown): value is SqlRow {
  return Array.isArray(value);
}
