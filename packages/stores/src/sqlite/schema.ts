/** Marks a database as one of runs: "SWYD" as a number. */
export const APPLICATION_ID = 0x53575944;

/** Version of the tables below. Contract: a database of a newer version is refused and left as it is. */
export const SCHEMA_VERSION = 1;

/**
 * The tables. Texts that may hold anything are kept as bytes, since SQLite ends a text at its first NUL. Keys of runs
 * are never used twice, so what belonged to a deleted run can be cleared away later. Checkpoints that belong to no run
 * of the store have negative keys. The id of a line is the key of its run, shifted by 32 bits, and its number within the
 * run: an index of its own would be written with each of them. The lines that count, so that a lost one is missed, are
 * those from the one in `checkpoint_logs` (0: there is none yet) to the one before the first number that lies in
 * `checkpoints` in the place of a line.
 */
export const TABLES: readonly string[] = [
  `CREATE TABLE runs (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    epoch INTEGER NOT NULL,
    owner TEXT,
    active_at INTEGER NOT NULL,
    record BLOB NOT NULL
  ) STRICT`,
  "CREATE TABLE owners (token TEXT PRIMARY KEY, beat INTEGER NOT NULL, beat_at INTEGER NOT NULL) STRICT",
  "CREATE TABLE documents (run INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL) STRICT",
  "CREATE UNIQUE INDEX documents_of_run ON documents (run, kind)",
  "CREATE TABLE events (run INTEGER NOT NULL, last_seq INTEGER NOT NULL, lines BLOB NOT NULL) STRICT",
  "CREATE UNIQUE INDEX events_of_run ON events (run, last_seq)",
  "CREATE TABLE saved_runs (key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT",
  "CREATE TABLE checkpoint_logs (run INTEGER PRIMARY KEY, first_line INTEGER NOT NULL) STRICT",
  "CREATE TABLE checkpoints (id INTEGER PRIMARY KEY, line ANY NOT NULL) STRICT",
  "CREATE TABLE deleted_runs (run INTEGER PRIMARY KEY) STRICT",
];
