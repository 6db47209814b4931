import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { EngineError } from "@switchyard/contracts";
import Database from "libsql";
import { expect, test } from "vitest";
import { refusalOf, temporaryFolder } from "../../test/outcome.ts";
import { loadLibsql, type WriteConnection } from "./libsql.ts";
import { WriteQueue } from "./write-queue.ts";

/** A fake connection that stores the changes of a transaction when it is committed. */
interface FakeConnection extends WriteConnection {
  readonly log: string[];
  readonly stored: string[];
  /** Adds a text inside the current transaction. */
  put(text: string): void;
}

/**
 * Creates a fake connection. Each execution of a statement fails with the next error in `failures`, if there is one.
 */
function fakeConnection(failures: Readonly<Record<string, Error[]>> = {}): FakeConnection {
  const log: string[] = [];
  const stored: string[] = [];
  const open: string[] = [];
  const fail = (sql: string): void => {
    const failure = failures[sql]?.shift();
    if (failure !== undefined) throw failure;
  };
  return {
    log,
    stored,
    put: (text) => void open.push(text),
    exec: async (sql) => {
      log.push(sql);
      fail(sql);
      if (sql.startsWith("COMMIT")) stored.push(...open);
      if (sql.startsWith("COMMIT") || sql === "ROLLBACK") open.length = 0;
    },
    prepare: async (sql) => ({
      run: (values) => {
        const name = [sql.replace(" IMMEDIATE", ""), ...values].map(String).join(" ");
        log.push(name);
        fail(name);
        return values.length;
      },
      get: () => undefined,
    }),
    close: () => void log.push("CLOSE"),
  };
}

function busy(): Error {
  return Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
}

function over(connection: WriteConnection, busyTimeoutMs = 1_000): Promise<WriteQueue> {
  return WriteQueue.over(connection, { path: "/state/runs.db", busyTimeoutMs, mode: "adaptive", monotonic: () => 0 });
}

test("concurrent requests are committed with one flush", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
  await Promise.all(texts.map((text) => queue.write(() => connection.put(text), "power")));
  expect(connection.stored).toEqual(texts);
  expect(connection.log).toEqual(["BEGIN", "COMMIT"]);
});

test("one hundred writers that continue immediately share their flushes [D2]", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      for (let step = 0; step < 10; step += 1) await queue.write(() => connection.put("step"), "power");
    }),
  );
  expect(connection.stored).toHaveLength(1_000);
  expect(connection.log.filter((entry) => entry === "COMMIT").length).toBeLessThanOrEqual(200);
});

test("only data that must survive a power failure is flushed", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  await queue.write(() => connection.put("event"), "process");
  expect(connection.log).toEqual(["PRAGMA synchronous=NORMAL", "BEGIN", "COMMIT; PRAGMA synchronous=FULL"]);
  connection.log.length = 0;
  await Promise.all([
    queue.write(() => connection.put("event"), "process"),
    queue.write(() => connection.put("checkpoint"), "power"),
  ]);
  expect(connection.log).toEqual(["BEGIN", "COMMIT"]);
});

test("no subscriber is notified before the data is stored [D2]", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const storedWhenResolved = await queue.write(() => connection.put("one"), "power").then(() => [...connection.stored]);
  expect(storedWhenResolved).toEqual(["one"]);
});

test("work that throws does not affect other work", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const refused = queue.write(() => {
    connection.put("half done");
    throw new EngineError("store.stale_epoch", { runId: "run-1", epoch: 2 });
  }, "power");
  const others = ["before", "after"].map((text) => queue.write(() => connection.put(text), "power"));
  expect((await refusalOf(refused)).code).toBe("store.stale_epoch");
  await Promise.all(others);
  expect(connection.stored).toEqual(["before", "after"]);
});

test("a failed commit fails the work in it, and the next commit succeeds", async () => {
  const full = new Error("database or disk is full");
  const connection = fakeConnection({ COMMIT: [full, full] });
  const queue = await over(connection);
  const refusal = await refusalOf(queue.write(() => connection.put("lost"), "power"));
  expect([refusal.code, refusal.details["path"], refusal.cause]).toEqual(["run.store_failed", "/state/runs.db", full]);
  const two = await Promise.allSettled(
    ["second", "third"].map((text) => queue.write(() => connection.put(text), "power")),
  );
  expect(two.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(connection.stored).toEqual(["second", "third"]);
});

test("while another process writes the queue waits, but not for ever", async () => {
  const connection = fakeConnection({ BEGIN: [busy(), busy(), busy()] });
  const queue = await over(connection);
  await queue.write(() => connection.put("late"), "power");
  expect(connection.stored).toEqual(["late"]);
  const stuck = fakeConnection({ BEGIN: [busy()] });
  const impatient = await over(stuck, 0);
  const refusal = await refusalOf(impatient.write(() => stuck.put("never"), "power"));
  expect(refusal.code).toBe("run.store_failed");
  expect(refusal.message).toContain("locked");
});

/** Flushes until the disk counts as fast. */
async function probe(queue: WriteQueue): Promise<void> {
  for (let probes = 0; probes < 4; probes += 1) await queue.write(() => undefined, "power");
  await nextTurn();
}

test("a single session writes synchronously on a fast disk, and several do not [D2]", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const [mine, other] = [{}, {}];
  const insert = await connection.prepare("INSERT");
  const insertFor = (session: object): number => queue.writeNow(insert, { values: ["text"], session });
  expect(insertFor(mine)).toBe(0);
  await probe(queue);
  connection.log.length = 0;
  expect([insertFor(mine), insertFor(other)]).toEqual([1, 0]);
  expect(connection.log).toEqual(["INSERT text"]);
  await nextTurn();
  const waiting = queue.write(() => connection.put("mine"), "power");
  expect(insertFor(mine)).toBe(0);
  await waiting;
  // A session that was alone continues immediately.
  expect(insertFor(mine)).toBe(1);
});

test("the log is checkpointed into the database between writes, never by a synchronous write", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  await probe(queue);
  connection.log.length = 0;
  const insert = await connection.prepare("INSERT");
  const page = new Uint8Array(4096);
  const insertNow = (): number => queue.writeNow(insert, { values: [page], session: queue });
  let writes = 0;
  while (insertNow() === 1) writes += 1;
  // SQLite itself moves the log into the database file when the log has a thousand pages.
  expect(writes).toBeGreaterThan(100);
  expect(writes * 2).toBeLessThan(1_000);
  await queue.write(() => connection.put("next"), "power");
  expect(connection.log.slice(writes)).toEqual(["PRAGMA wal_checkpoint(PASSIVE)", "BEGIN", "COMMIT"]);
  expect(insertNow()).toBe(1);
});

test("a log that cannot be checkpointed into the database prevents no writes", async () => {
  const full = new Error("database or disk is full");
  const connection = fakeConnection({ "PRAGMA wal_checkpoint(PASSIVE)": [full] });
  const queue = await over(connection);
  await Promise.all(Array.from({ length: 1_000 }, () => queue.write(() => connection.put("text"), "power")));
  await queue.write(() => connection.put("last"), "power");
  expect(connection.log).toContain("PRAGMA wal_checkpoint(PASSIVE)");
  expect(connection.stored).toHaveLength(1_001);
});

test("a failed synchronous write fails alone", async () => {
  const full = new Error("database or disk is full");
  const connection = fakeConnection({ "INSERT text": [full] });
  const queue = await over(connection);
  await probe(queue);
  const insert = await connection.prepare("INSERT");
  const insertNow = async (): Promise<number> => queue.writeNow(insert, { values: ["text"], session: queue });
  const { code, cause } = await refusalOf(insertNow());
  expect([code, cause]).toEqual(["run.store_failed", full]);
  await queue.write(() => connection.put("next"), "power");
  expect(connection.stored).toEqual(["next"]);
  await queue.close();
  expect((await refusalOf(insertNow())).code).toBe("run.store_failed");
});

test("a statement blocked by another process is finished before the queue continues", async () => {
  const connection = fakeConnection({ "INSERT text": [busy()], "INSERT null": [busy(), busy()] });
  const queue = await over(connection);
  await probe(queue);
  connection.log.length = 0;
  const insert = await connection.prepare("INSERT");
  expect(queue.writeNow(insert, { values: ["text"], session: queue })).toBe(0);
  await queue.write(() => connection.put("later"), "power");
  await queue.write(() => connection.put("last"), "power");
  const ends = ["INSERT null", "INSERT null", "INSERT null"];
  expect(connection.log).toEqual(["INSERT text", ...ends, "BEGIN", "COMMIT", "BEGIN", "COMMIT"]);
  expect(connection.stored).toEqual(["later", "last"]);
});

test("with the real library, work that conflicted with another writer is committed once, and so is all later work", async () => {
  const path = join(await temporaryFolder(), "numbers.db");
  const other = new Database(path);
  other.exec("PRAGMA journal_mode=WAL; CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT");
  const connection = (await loadLibsql()).openWriter(path);
  const queue = await over(connection, 60_000);
  // For a NULL key, SQLite chooses a number itself.
  const insert = await connection.prepare("INSERT INTO numbers SELECT ?1 WHERE ?1 IS NOT NULL");
  const insertNow = (n: number): number => queue.writeNow(insert, { values: [n], session: queue });
  const add = await connection.prepare("INSERT INTO numbers VALUES (?1)");
  await probe(queue);
  expect(insertNow(1)).toBe(1);
  for (const n of [10, 20]) {
    other.exec(`BEGIN IMMEDIATE; INSERT INTO numbers VALUES (${n})`);
    expect(insertNow(n + 1)).toBe(0);
    const waiting = [n + 1, n + 2].map((one) => queue.write(() => add.run([one]), "power"));
    await nextTurn();
    other.exec("COMMIT");
    expect(await Promise.all(waiting)).toEqual([1, 1]);
    await queue.write(() => add.run([n + 3]), "process");
    expect(insertNow(n + 4)).toBe(1);
  }
  await queue.close();
  const found = other.prepare("SELECT n FROM numbers ORDER BY n").raw().all();
  other.close();
  expect(found.flat()).toEqual([1, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24]);
});

test("closing commits the waiting work and rejects later calls", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const waiting = queue.write(() => connection.put("last"), "power");
  await queue.close();
  await waiting;
  expect([connection.stored, connection.log.at(-1)]).toEqual([["last"], "CLOSE"]);
  expect((await refusalOf(queue.write(() => connection.put("late"), "power"))).code).toBe("run.store_failed");
});
