import { EngineError, messageOf } from "@switchyard/contracts";

/** What is bound to a statement. */
export type SqlValue = string | number | Uint8Array | null;

/** A row: its columns in the order in which they were asked for. */
export type SqlRow = readonly unknown[];

/** A prepared statement that writes. */
export interface WriteStatement {
  /** Runs it; gives the number of changed rows. */
  run(values: readonly SqlValue[]): number;
  /** The first row, if there is one. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
}

/** A prepared statement that reads. */
export interface ReadStatement {
  /** The first row, if there is one. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
  /** All rows. */
  all(values: readonly SqlValue[]): SqlRow[];
}

/** A connection that writes. Contract: one call at a time. */
export interface WriteConnection {
  /** Runs statements without values on another thread, so that waiting for the disk blocks nobody. */
  exec(sql: string): Promise<void>;
  /** Prepares a statement, which runs on this thread. */
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
  /** Runs statements on a file of its own, which is whole and closed when this returns. */
  fill(path: string, sql: string): void;
  /** Opens a database file to write to, making it when there is none. */
  openWriter(path: string): WriteConnection;
  /** Opens a database file to read from. */
  openReader(path: string): ReadConnection;
}

// What is used of the library: its own typings say `any` in one place and promise too much in another.
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

// The part of both of its entry points that is used.
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
      // Not on another thread: that would close the file at a time of its own.
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
