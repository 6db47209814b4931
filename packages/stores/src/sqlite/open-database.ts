import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Durability, EngineError } from "@switchyard/contracts";
import { assertSafeFolder } from "../file/disk/assert-safe-folder.ts";
import type { FlushMode } from "../flush/flush-scheduler.ts";
import { SYSTEM_TIMER } from "../owner/store-timer.ts";
import { createDatabaseFile } from "./create-database-file.ts";
import { type Libsql, loadLibsql, type ReadConnection } from "./libsql.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "./schema.ts";
import { toReadFailure } from "./sqlite-failure.ts";
import { prepareReads, prepareWrites, type Reads, type Writes } from "./statements.ts";
import { type ImmediateWrite, WriteQueue } from "./write-queue.ts";

/** Options for `openDatabase`. */
export interface DatabaseOptions {
  /** Absolute path of the file; created if it does not exist. */
  readonly path: string;
  /** Maximum wait, in milliseconds, while other processes write to the database. */
  readonly busyTimeoutMs: number;
  /** Thread that is blocked while data is flushed to disk. */
  readonly flush: FlushMode;
}

/** An open SQLite database that stores runs. */
export interface Database {
  /** Absolute path of the file. */
  readonly path: string;
  /**
   * Runs `work` in a transaction, together with other pending work. If `work` throws, none of its changes are stored.
   * `work` may be called a second time. Rejects with the error of `work`, or with `run.store_failed`.
   */
  write<T>(work: (run: Writes) => T, durability: Durability): Promise<T>;
  /**
   * Runs one small statement immediately and durably, if there is no other writer and the disk is fast. Returns the
   * number of changed rows. Returns 0 if the statement was not run. Throws `run.store_failed`.
   */
  writeNow(name: Parameters<Writes>[0], write: ImmediateWrite): number;
  /** Reads stored data. Rejects with the error of `work`, `store.malformed` or `run.store_failed`. */
  read<T>(work: (get: Reads) => T): Promise<T>;
  /** Finishes pending writes and closes the file. */
  close(): Promise<void>;
}

// Minimum size of a valid database file, in bytes.
const HEADER_BYTES = 512;
const SET_UP = [
  "PRAGMA synchronous=FULL",
  // `cache_spill` is disabled, because it would write database pages on this thread.
  "PRAGMA cache_spill=OFF",
  "PRAGMA cell_size_check=ON",
  "PRAGMA journal_size_limit=67108864",
].join(";");

/**
 * Opens a database of runs. Rejects with `store.driver_missing`, `store.newer_format`, `store.malformed`,
 * `store.foreign_folder` or `run.store_failed`, and then leaves the file unchanged.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { path, busyTimeoutMs } = options;
  await assertSafeFolder({ directory: dirname(path), content: path });
  const libsql = await loadLibsql();
  try {
    if (!(await databaseExists(path))) await createDatabaseFile(libsql, path);
    const reader = await openReader(libsql, options);
    const reads = prepareReads(reader);
    const connection = libsql.openWriter(path);
    await retryWhileBusy(() => connection.exec(SET_UP), busyTimeoutMs);
    const writes = await prepareWrites(connection);
    const { monotonic } = SYSTEM_TIMER;
    const queue = await WriteQueue.over(connection, { path, busyTimeoutMs, mode: options.flush, monotonic });
    return {
      path,
      write: (work, durability) => queue.write(() => work(writes), durability),
      writeNow: (name, write) => queue.writeNow(writes(name), write),
      read: async (work) => {
        try {
          // Checked explicitly: a closed connection can be read until its statements are garbage collected.
          queue.assertOpen();
          return await retryWhileBusy(() => work(reads), busyTimeoutMs);
        } catch (error) {
          throw toReadFailure(error, path);
        }
      },
      close: async () => {
        await queue.close();
        reader.close();
      },
    };
  } catch (error) {
    throw toReadFailure(error, path);
  }
}

async function databaseExists(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return false;
  if (!found.isFile()) throw malformed(path, "it is not a file");
  // SQLite treats a file of a few bytes as a new database.
  if (found.size < HEADER_BYTES) throw malformed(path, `it has ${found.size} bytes, which is not a complete database`);
  return true;
}

/** Opens a read connection and checks that the database has this release's format. Does not write to the database. */
async function openReader(libsql: Libsql, { path, busyTimeoutMs }: DatabaseOptions): Promise<ReadConnection> {
  const reader = libsql.openReader(path);
  try {
    const numberOf = (pragma: string): Promise<unknown> =>
      retryWhileBusy(() => reader.prepare(`PRAGMA ${pragma}`).get([])?.[0], busyTimeoutMs);
    if ((await numberOf("application_id")) !== APPLICATION_ID) throw malformed(path, "it is not a database of runs");
    const version = await numberOf("user_version");
    if (typeof version === "number" && version > SCHEMA_VERSION) {
      throw new EngineError("store.newer_format", { path, format: version });
    }
    if (version !== SCHEMA_VERSION) throw malformed(path, `its format ${version} was never released`);
    return reader;
  } catch (error) {
    reader.close();
    throw error;
  }
}

function malformed(path: string, problem: string): EngineError {
  return new EngineError("store.malformed", { path, problem });
}
