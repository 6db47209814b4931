import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, messageOf, type RunStore } from "@switchyard/contracts";
import Database from "libsql";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeOf, listOf, refusalOf, seqsOf, temporaryFolder } from "../../test/outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "../../test/run-samples.ts";
import { openSqliteCheckpointStore, openSqliteStore } from "./index.ts";

async function open(path: string): Promise<RunStore> {
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}

/** Creates a database with one run that has data of every kind, and closes it. All data is then in one file. */
async function filledDatabase(): Promise<string> {
  const path = join(await temporaryFolder(), "runs.db");
  const store = await openSqliteStore({ path });
  const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  await writer.append(sampleEvents(1, 3));
  for (let step = 1; step <= 3; step += 1) {
    await writer.save(sampleCheckpoint("run-1", "abcdefgh".repeat(2_000) + step, { iteration: step }));
  }
  await writer.append(sampleEvents(4, 5));
  await writer.finish(sampleReport("run-1", { status: "interrupted" }), { status: "interrupted" });
  await store.close();
  change(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  return path;
}

/** Runs a statement on the database without the store. */
function change(path: string, sql: string, ...values: unknown[]): void {
  const database = new Database(path);
  try {
    if (values.length === 0) database.exec(sql);
    else database.prepare(sql).run(values);
  } finally {
    database.close();
  }
}

/** Flips a bit in the middle of the first blob of a column. */
function flipBit(path: string, table: string, column: string): void {
  const database = new Database(path);
  const blobs = `SELECT rowid, ${column} FROM ${table} WHERE typeof(${column}) = 'blob' ORDER BY rowid`;
  const [rowid, blob] = first(database.prepare(blobs).raw().get());
  const bytes = Buffer.from(blob);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run([bytes, rowid]);
  database.close();
}

function first(row: unknown): [number, Uint8Array] {
  if (!Array.isArray(row)) throw new Error("there is no row");
  const [rowid, blob] = row;
  if (typeof rowid !== "number" || !(blob instanceof Uint8Array)) throw new Error("the row is another one");
  return [rowid, blob];
}

describe("a file that is not a database of runs", () => {
  test.each([
    ["an empty file", ""],
    ["one byte", "x"],
    ["zeros", "\0".repeat(8192)],
    ["text", "no database ".repeat(1000)],
    ["the beginning of a database", "SQLite format 3\0"],
  ])("%s is refused, named and left as it is [D3]", async (_, content) => {
    const path = join(await temporaryFolder(), "runs.db");
    await writeFile(path, content);
    for (const opening of [() => openSqliteStore({ path }), () => openSqliteCheckpointStore({ path })]) {
      const refusal = await refusalOf(opening());
      expect(refusal.code).toBe("store.malformed");
      expect(refusal.message).toContain(path);
    }
    expect(await readFile(path, "latin1")).toBe(content);
  });

  test("a folder, and a database of another application, are refused [D3]", async () => {
    const folder = await temporaryFolder();
    expect(await codeOf(openSqliteStore({ path: folder }))).toBe("store.malformed");
    const path = join(folder, "other.db");
    change(path, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')");
    const before = await readFile(path);
    expect((await refusalOf(openSqliteStore({ path }))).message).toContain("not a database of runs");
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  test("a database of a newer release is refused and left as it is [D11]", async () => {
    const path = await filledDatabase();
    change(path, "PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)");
    const before = await readFile(path);
    const refusal = await refusalOf(openSqliteStore({ path }));
    expect([refusal.code, refusal.details["format"]]).toEqual(["store.newer_format", 2]);
    expect(refusal.message).toContain(path);
    expect((await readFile(path)).equals(before)).toBe(true);
    change(path, "PRAGMA user_version = 0");
    expect(await codeOf(openSqliteStore({ path }))).toBe("store.malformed");
  });

  test("the log of a lost database is not played into a new one [D3]", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const store = await open(path);
    await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const other = join(await temporaryFolder(), "runs.db");
    await copyFile(`${path}-wal`, `${other}-wal`);
    const refusal = await refusalOf(openSqliteStore({ path: other }));
    expect(refusal.code).toBe("store.malformed");
    expect(refusal.message).toContain(`${other}-wal`);
  });
});

test("a truncated database is refused when it is opened or read, and never treated as an empty one [D3]", async () => {
  const path = await filledDatabase();
  const { size } = await stat(path);
  for (const length of [512, 1000, 4096, 8192, Math.floor(size / 2), size - 8192]) {
    const cut = join(await temporaryFolder(), "runs.db");
    await copyFile(path, cut);
    await truncate(cut, length);
    const problem = await open(cut)
      .then((store) => store.load("run-1"))
      .catch((error: unknown) => error);
    expect(EngineError.is(problem, "store.malformed") || EngineError.is(problem, "checkpoint.corrupt")).toBe(true);
    expect(messageOf(problem)).toContain(cut);
  }
});

describe("a record that was damaged", () => {
  test("a checkpoint with a flipped bit is corrupt, with the database and the run in the message [D3]", async () => {
    const path = await filledDatabase();
    flipBit(path, "checkpoints", "line");
    const store = await open(path);
    const refusal = await refusalOf(store.load("run-1"));
    expect(refusal.code).toBe("checkpoint.corrupt");
    expect(refusal.message).toContain(path);
    expect(refusal.message).toContain("run-1");
    const writer = await store.acquire("run-1");
    expect(await codeOf(writer.load())).toBe("checkpoint.corrupt");
  });

  test.each([
    [
      "the last line",
      "DELETE FROM checkpoints WHERE id = (SELECT max(id) FROM checkpoints WHERE typeof(line) = 'blob')",
    ],
    ["where the lines end", "DELETE FROM checkpoints WHERE typeof(line) = 'integer'"],
    [
      "the last line and where the lines end",
      "DELETE FROM checkpoints WHERE typeof(line) = 'integer' OR id = (SELECT max(id) FROM checkpoints)",
    ],
    [
      "the first line",
      "DELETE FROM checkpoints WHERE id = (SELECT min(id) FROM checkpoints WHERE typeof(line) = 'blob')",
    ],
    ["all lines", "DELETE FROM checkpoints"],
    ["the number of its first line", "DELETE FROM checkpoint_logs"],
  ])("a checkpoint without %s is corrupt, never absent [D3]", async (_, sql) => {
    const path = await filledDatabase();
    change(path, sql);
    const store = await open(path);
    expect(await codeOf(store.load("run-1"))).toBe("checkpoint.corrupt");
  });

  test("a checkpoint of a newer format, and one of another run, are reported as such [D11]", async () => {
    const path = await filledDatabase();
    const sealedLater = Buffer.from('{"kind":"base","n":1,"check":"2:00000000"}');
    change(
      path,
      "UPDATE checkpoints SET line = ? WHERE id = (SELECT min(id) FROM checkpoints WHERE typeof(line) = 'blob')",
      sealedLater,
    );
    expect(await codeOf((await open(path)).load("run-1"))).toBe("checkpoint.newer_format");
    const foreign = await filledDatabase();
    change(foreign, "UPDATE runs SET id = ?", "run-2");
    const store = await open(foreign);
    expect(await codeOf(store.load("run-2"))).toBe("checkpoint.foreign");
    expect(await codeOf(store.acquire("run-2"))).toBe("run.malformed_record");
  });

  test("a damaged record, request or report is reported, and the run can still be deleted [D3]", async () => {
    const path = await filledDatabase();
    for (const [table, column] of [
      ["runs", "record"],
      ["documents", "body"],
    ] as const) {
      flipBit(path, table, column);
    }
    change(path, "UPDATE documents SET body = ? WHERE kind = 'report'", Buffer.from("{}"));
    const store = await open(path);
    const [listed] = await store.list();
    expect(listed).toMatchObject({ runId: "run-1", problem: { code: "run.malformed_record" } });
    const shown = await store.show("run-1");
    expect(shown.problems.map(({ code }) => code)).toEqual(Array(3).fill("run.malformed_record"));
    expect(shown.problems.every(({ message }) => message.includes(`${path} (run run-1)`))).toBe(true);
    expect(await codeOf(store.acquire("run-1"))).toBe("run.malformed_record");
    // After a failed `acquire`, the lease is not held.
    expect((await store.show("run-1")).lease?.isHeld).toBe(false);
    expect(await store.collectGarbage({ before: Date.now() + 1e9, includeResumable: true })).toEqual([]);
    await store.delete("run-1");
    expect(await store.list()).toEqual([]);
  });

  test("damaged and missing events are skipped and reported at the end [D8]", async () => {
    const path = await filledDatabase();
    flipBit(path, "events", "lines");
    const store = await open(path);
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { seq } of store.events("run-1")) seen.push(seq);
    })();
    expect(await codeOf(reading)).toBe("run.malformed_record");
    expect(seen).toEqual([1, 3, 4, 5]);
    expect(await seqsOf(store.events("run-1", 3))).toEqual([4, 5]);
    const gap = await filledDatabase();
    change(gap, "DELETE FROM events WHERE last_seq = 3");
    expect(await codeOf(listOf((await open(gap)).events("run-1")))).toBe("run.malformed_record");
  });
});

test("wherever a byte of the file is changed, a run is loaded as it was saved or with an error [D3]", async () => {
  const path = await filledDatabase();
  const intact = await readFile(path);
  const expected = (await (await open(path)).load("run-1"))?.board.vars;
  const folder = await temporaryFolder();
  for (let position = 0; position < intact.length; position += 331) {
    const copy = join(folder, String(position), "runs.db");
    await mkdir(join(folder, String(position)));
    const bytes = Buffer.from(intact);
    bytes[position] = (bytes[position] ?? 0) ^ 0x55;
    await writeFile(copy, bytes);
    const outcome = await openSqliteStore({ path: copy })
      .then(async (store) => {
        const loaded = await store.load("run-1").finally(() => store.close());
        return loaded?.board.vars ?? "absent";
      })
      .catch((error: unknown) => (EngineError.is(error) ? "classified" : error));
    if (outcome !== "classified") expect(outcome, `byte ${position}`).toEqual(expected);
    await rm(join(folder, String(position)), { recursive: true });
  }
  expect(await readdir(folder)).toEqual([]);
});
