// @ts-check
import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { chooseNumber, chooseOne } from "./choose.mjs";
import { BYTE_DAMAGES } from "./damage-bytes.mjs";

/** @import { Random } from "./choose.mjs" */
/** @import { Damage, FilePlaces } from "./file-damage.mjs" */

const TABLES = ["runs", "owners", "documents", "events", "checkpoint_logs", "checkpoints"];
/** Columns that contain bytes. */
const BYTES = { runs: "record", documents: "body", events: "lines", checkpoints: "line" };
export const DATABASE = "runs.db";

/**
 * Damages rows of a database: deletes rows, changes bytes, or restores rows of an older copy.
 * @param {FilePlaces} places
 * @param {Random} random
 * @returns {Damage}
 */
export function damageRows({ state, older }, random) {
  const database = new Database(join(state, DATABASE));
  try {
    const kind = chooseOne(random, [
      "all rows deleted",
      "one row deleted",
      "the last row deleted",
      "bytes",
      "older rows",
    ]);
    if (kind === "bytes") return damageValue(database, random);
    const table = chooseOne(random, TABLES);
    if (kind === "older rows") {
      database.exec(`ATTACH '${join(older, DATABASE)}' AS older; DELETE FROM main.${table};
        INSERT INTO main.${table} SELECT * FROM older.${table}; DETACH older`);
    } else if (kind === "all rows deleted") database.exec(`DELETE FROM ${table}`);
    else {
      const order =
        kind === "the last row deleted" ? "rowid DESC" : `abs(rowid * ${chooseNumber(random, 1, 997)} % 101)`;
      const key = table === "owners" ? "token" : "rowid";
      database.exec(`DELETE FROM ${table} WHERE ${key} = (SELECT ${key} FROM ${table} ORDER BY ${order} LIMIT 1)`);
    }
    // The rows of owners only record active processes.
    return { name: `table ${table}: ${kind}`, isHarmless: table === "owners" };
  } finally {
    database.close();
  }
}

/**
 * @param {Database.Database} database
 * @param {Random} random
 * @returns {Damage}
 */
function damageValue(database, random) {
  const values = Object.entries(BYTES).flatMap(([table, column]) => {
    const rows = database.prepare(`SELECT rowid AS id, ${column} AS bytes FROM ${table}`).all();
    const filled = rows.flatMap((row) => (isRow(row) ? [row] : []));
    return filled.length === 0 ? [] : [{ table, column, rows: filled }];
  });
  const { table, column, rows } = chooseOne(random, values);
  const { id, bytes } = chooseOne(random, rows);
  const [kind, change] = chooseOne(random, Object.entries(BYTE_DAMAGES));
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(change(Buffer.from(bytes), random), id);
  return { name: `table ${table}: ${column} ${kind}`, isHarmless: false };
}

/**
 * @param {unknown} row
 * @returns {row is { id: number, bytes: ArrayBuffer }}
 */
function isRow(row) {
  return (
    typeof row === "object" &&
    row !== null &&
    "bytes" in row &&
    row.bytes instanceof ArrayBuffer &&
    row.bytes.byteLength > 0
  );
}

/**
 * Deletes the write-ahead log, as if only the database file had been copied.
 * @param {FilePlaces} places
 * @returns {Damage}
 */
export function loseLog({ state }) {
  for (const suffix of ["-wal", "-shm"]) rmSync(join(state, DATABASE + suffix), { force: true });
  return { name: "the write-ahead log deleted", isHarmless: false };
}
