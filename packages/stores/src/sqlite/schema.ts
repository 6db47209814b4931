/** Application id of the database: "SWYD" as a number. */
export const APPLICATION_ID = 0x53575944;

/** Version of the database tables. Contract: a database of a newer version is rejected and left unchanged. */
export const SCHEMA_VERSION = 1;

/**
 * Definitions of the tables.
 *
 * Texts of arbitrary content are stored as bytes, because SQLite ends a text at its first NUL. Keys of runs are never
 * reused, so data of a deleted run can be removed later. A store that contains only checkpoints uses negative keys, so
 * that they differ from the keys in `runs`: both kinds of store may use the same file.
 *
 * The table `checkpoints` contains the lines of the checkpoint logs, one row each. The upper 32 bits of a row's id are
 * the key of the run, and the lower 32 bits are the number of the line in the run's log. This avoids a separate index,
 * which would have to be written with each line. `checkpoint_logs` contains the number of each log's first valid line;
 * 0 if the log has no line yet. The row after the last line contains a number instead of a line, so that a lost line is
 * detected.
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
