import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { syncFolder } from "../flush/sync-folder.ts";
import type { Libsql } from "./libsql.ts";
import { APPLICATION_ID, SCHEMA_VERSION, TABLES } from "./schema.ts";

// File mode: only the owner can read stored runs.
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
// SQL statements that create the database, run without being prepared so that closing flushes everything.
const CREATION = [
  "PRAGMA journal_mode=WAL",
  `PRAGMA application_id=${APPLICATION_ID}`,
  "BEGIN",
  ...TABLES,
  `PRAGMA user_version=${SCHEMA_VERSION}`,
  "COMMIT",
].join(";\n");

/**
 * Creates a database file with its tables in one step: a file without tables would count as damaged. Does nothing if
 * another process has created the file first. Throws `store.malformed` or file system errors.
 */
export async function createDatabaseFile(libsql: Libsql, path: string): Promise<void> {
  await assertNoRemains(path);
  const folder = dirname(path);
  const firstCreated = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const temporary = `${path}.${randomBytes(8).toString("hex")}.new`;
  try {
    await (await open(temporary, "wx", FILE_MODE)).close();
    libsql.fill(temporary, CREATION);
    await publishFile(temporary, path);
    for (let folderToSync = folder; ; folderToSync = dirname(folderToSync)) {
      await syncFolder(folderToSync);
      if (
        firstCreated === undefined ||
        folderToSync === dirname(firstCreated) ||
        folderToSync === dirname(folderToSync)
      )
        break;
    }
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) await rm(temporary + suffix, { force: true });
  }
}

/**
 * Rejects if a write-ahead log exists without its database, because SQLite would apply this log to the new database.
 */
async function assertNoRemains(path: string): Promise<void> {
  const log = `${path}-wal`;
  const found = await stat(log).catch(() => undefined);
  if (found === undefined || found.size === 0) return;
  throw new EngineError("store.malformed", { path, problem: `it is missing, and only its log ${log} is left` });
}

async function publishFile(temporary: string, path: string): Promise<void> {
  try {
    // A hard link, unlike a rename, does not replace a database that another process has just created.
    await link(temporary, path);
  } catch (error) {
    if (await exists(path)) return;
    // This file system does not support hard links.
    await rename(temporary, path).catch(() => {
      throw error;
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
