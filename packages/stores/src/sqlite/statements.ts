import type { ReadConnection, ReadStatement, WriteConnection, WriteStatement } from "./libsql.ts";

// A line id combines the number of the run with the number of the line (32 bits), so it can have more than 53 bits. A
// numeric parameter of a statement has at most 53 bits. Statements therefore have two parameters for an id, and combine
// them with bit operators.
// A checkpoint log ends with an additional row whose `line` is a number. This row has the id of the next line and is
// replaced when that line is appended. The row thus lies in a database page that is written anyway.
const WRITES = {
  // Runs and their leases.
  insertRun: `INSERT INTO runs (id, epoch, owner, active_at, record) VALUES (?1, 1, ?2, ?3, ?4)
    ON CONFLICT (id) DO NOTHING RETURNING key`,
  leaseOf: "SELECT epoch, owner FROM runs WHERE key = ?1",
  takeLease: "UPDATE runs SET epoch = ?2, owner = ?3, active_at = ?4 WHERE key = ?1",
  releaseLease: "UPDATE runs SET owner = NULL, active_at = ?2 WHERE key = ?1",
  setRecord: "UPDATE runs SET record = ?2 WHERE key = ?1",
  recordOf: "SELECT record FROM runs WHERE key = ?1",
  deleteRun: "DELETE FROM runs WHERE key = ?1",
  // Owners.
  beatOf: "SELECT beat FROM owners WHERE token = ?1",
  beat: `INSERT INTO owners (token, beat, beat_at) VALUES (?1, 1, ?2)
    ON CONFLICT (token) DO UPDATE SET beat = beat + 1, beat_at = ?2`,
  forgetOwner: "DELETE FROM owners WHERE token = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE owner = ?1)",
  // Statements for the documents and events of a run.
  putDocument: `INSERT INTO documents (run, kind, body) VALUES (?1, ?2, ?3)
    ON CONFLICT (run, kind) DO UPDATE SET body = ?3`,
  documentOf: "SELECT body FROM documents WHERE run = ?1 AND kind = ?2",
  addEvents: "INSERT INTO events (run, last_seq, lines) VALUES (?1, ?2, ?3)",
  // Checkpoints.
  insertSavedRun: "INSERT INTO saved_runs (id) VALUES (?1) ON CONFLICT (id) DO UPDATE SET id = id RETURNING key",
  deleteSavedRun: "DELETE FROM saved_runs WHERE id = ?1 RETURNING key",
  insertLog: "INSERT INTO checkpoint_logs (run, first_line) VALUES (?1, 0) ON CONFLICT (run) DO NOTHING",
  lastLineOf: `SELECT CASE first_line WHEN 0 THEN 0 ELSE (SELECT CASE typeof(line) WHEN 'integer' THEN (id & 0xffffffff) - 1 END
    FROM checkpoints WHERE id BETWEEN ?1 << 32 AND (?1 << 32 | 0xffffffff) ORDER BY id DESC LIMIT 1) END
    FROM checkpoint_logs WHERE run = ?1`,
  beginLog: "UPDATE checkpoint_logs SET first_line = ?2 WHERE run = ?1",
  // Appends line ?2 to a checkpoint log if the log ends with the previous line.
  // The condition reads no table that is changed, because SQLite would then copy the lines first.
  appendLine: `INSERT INTO checkpoints (id, line)
    SELECT ?1 << 32 | ?2, ?3 FROM runs WHERE key = ?1 AND epoch = ?4 AND owner IS NOT NULL UNION ALL
    SELECT ?1 << 32 | (?2 + 1), 0 FROM runs WHERE key = ?1 AND epoch = ?4 AND owner IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET line = excluded.line WHERE typeof(line) = 'integer'`,
  addLine: "INSERT OR REPLACE INTO checkpoints (id, line) VALUES (?1 << 32 | ?2, ?3)",
  endLog: "INSERT OR REPLACE INTO checkpoints (id, line) VALUES (?1 << 32 | ?2, 0)",
  trimLines: `DELETE FROM checkpoints WHERE id IN (SELECT id FROM checkpoints WHERE id > ?1 << 32
    AND id < (?1 << 32 | (SELECT first_line FROM checkpoint_logs WHERE run = ?1)) LIMIT ?2)`,
  // Data of deleted runs.
  markDeleted: "INSERT INTO deleted_runs (run) VALUES (?1)",
  nextDeleted: "SELECT run FROM deleted_runs LIMIT 1",
  clearDocuments: "DELETE FROM documents WHERE run = ?1",
  clearLog: "DELETE FROM checkpoint_logs WHERE run = ?1",
  clearEvents: "DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE run = ?1 LIMIT ?2)",
  clearLines: `DELETE FROM checkpoints WHERE id IN (SELECT id FROM checkpoints WHERE id >= ?1 << 32
    AND id < (?1 + 1) << 32 LIMIT ?2)`,
  unmarkDeleted: "DELETE FROM deleted_runs WHERE run = ?1",
} as const;

const READS = {
  run: `SELECT runs.key, id, epoch, owner, active_at, beat, record FROM runs LEFT JOIN owners ON token = owner WHERE id = ?1`,
  runsBelow: `SELECT runs.key, id, epoch, owner, active_at, beat, record FROM runs LEFT JOIN owners ON token = owner
    WHERE runs.key < ?1 ORDER BY runs.key DESC LIMIT ?2`,
  leasesOf: "SELECT key, epoch FROM runs WHERE owner = ?1",
  document: "SELECT body FROM documents WHERE run = ?1 AND kind = ?2",
  lastSeq: "SELECT last_seq FROM events WHERE run = ?1 ORDER BY last_seq DESC LIMIT 1",
  events: "SELECT last_seq, lines FROM events WHERE run = ?1 AND last_seq > ?2 ORDER BY last_seq LIMIT ?3",
  savedRun: "SELECT key FROM saved_runs WHERE id = ?1",
  savedRuns: "SELECT id FROM saved_runs ORDER BY key",
  lines: `SELECT first_line, id & 0xffffffff, line FROM checkpoint_logs AS log
    LEFT JOIN checkpoints ON id BETWEEN (?1 << 32 | first_line) AND (?1 << 32 | 0xffffffff)
    WHERE log.run = ?1 ORDER BY id`,
} as const;

/**
 * Returns a prepared SQL statement that writes. Contract: before a statement changes a run, the caller checks the run's
 * lease in the same transaction.
 */
export type Writes = (name: keyof typeof WRITES) => WriteStatement;

/** Returns a prepared SQL statement that only reads. */
export type Reads = (name: keyof typeof READS) => ReadStatement;

/** Prepares all SQL statements that write. Throws database errors. */
export async function prepareWrites(connection: WriteConnection): Promise<Writes> {
  const prepared = new Map<string, WriteStatement>();
  for (const [name, sql] of Object.entries(WRITES)) prepared.set(name, await connection.prepare(sql));
  return (name) => find(prepared, name);
}

/** Prepares all SQL statements that only read. Throws database errors. */
export function prepareReads(connection: ReadConnection): Reads {
  const prepared = new Map(Object.entries(READS).map(([name, sql]) => [name, connection.prepare(sql)]));
  return (name) => find(prepared, name);
}

function find<S>(prepared: ReadonlyMap<string, S>, name: string): S {
  const statement = prepared.get(name);
  if (statement === undefined) throw new Error(`the statement ${name} does not exist`);
  return statement;
}
