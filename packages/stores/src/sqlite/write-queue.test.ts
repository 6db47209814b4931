import { setImmediate as nextTurn } from "node:timers/promises";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { refusalOf } from "../../test/outcome.ts";
import type { WriteConnection } from "./libsql.ts";
import { WriteQueue } from "./write-queue.ts";

/** A connection that keeps what is done in a transaction once that is committed. */
interface FakeConnection extends WriteConnection {
  readonly log: string[];
  readonly kept: string[];
  /** Done inside a transaction. */
  put(text: string): void;
}

/** Fails in turn with what `failures` says for a statement. */
function fakeConnection(failures: Readonly<Record<string, Error[]>> = {}): FakeConnection {
  const log: string[] = [];
  const kept: string[] = [];
  const open: string[] = [];
  const fail = (sql: string): void => {
    const failure = failures[sql]?.shift();
    if (failure !== undefined) throw failure;
  };
  return {
    log,
    kept,
    put: (text) => void open.push(text),
    exec: async (sql) => {
      log.push(sql);
      fail(sql);
      if (sql.startsWith("COMMIT")) kept.push(...open);
      if (sql.startsWith("COMMIT") || sql === "ROLLBACK") open.length = 0;
    },
    prepare: async (sql) => ({
      run: () => {
        const name = sql.replace(" IMMEDIATE", "");
        log.push(name);
        fail(name);
        return 0;
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

test("what many ask for at the same time is kept with one flush", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
  await Promise.all(texts.map((text) => queue.write(() => connection.put(text), "power")));
  expect(connection.kept).toEqual(texts);
  expect(connection.log).toEqual(["BEGIN", "COMMIT"]);
});

test("one hundred who go on as soon as they may share their flushes [D2]", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      for (let step = 0; step < 10; step += 1) await queue.write(() => connection.put("step"), "power");
    }),
  );
  expect(connection.kept).toHaveLength(1_000);
  expect(connection.log.filter((entry) => entry === "COMMIT").length).toBeLessThanOrEqual(200);
});

test("only what has to survive the loss of power is flushed", async () => {
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

test("nobody is told that something is kept before it is [D2]", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const keptWhenTold = await queue.write(() => connection.put("one"), "power").then(() => [...connection.kept]);
  expect(keptWhenTold).toEqual(["one"]);
});

test("work that throws takes nothing else with it", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const refused = queue.write(() => {
    connection.put("half done");
    throw new EngineError("store.stale_epoch", { runId: "run-1", epoch: 2 });
  }, "power");
  const others = ["before", "after"].map((text) => queue.write(() => connection.put(text), "power"));
  expect((await refusalOf(refused)).code).toBe("store.stale_epoch");
  await Promise.all(others);
  expect(connection.kept).toEqual(["before", "after"]);
});

test("a failed commit fails those whose work it was, and the next one is kept", async () => {
  const full = new Error("database or disk is full");
  const connection = fakeConnection({ COMMIT: [full, full] });
  const queue = await over(connection);
  const refusal = await refusalOf(queue.write(() => connection.put("lost"), "power"));
  expect([refusal.code, refusal.details["path"], refusal.cause]).toEqual(["run.store_failed", "/state/runs.db", full]);
  const two = await Promise.allSettled(
    ["second", "third"].map((text) => queue.write(() => connection.put(text), "power")),
  );
  expect(two.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(connection.kept).toEqual(["second", "third"]);
});

test("while another process writes the queue waits, but not for ever", async () => {
  const connection = fakeConnection({ BEGIN: [busy(), busy(), busy()] });
  const queue = await over(connection);
  await queue.write(() => connection.put("late"), "power");
  expect(connection.kept).toEqual(["late"]);
  const stuck = fakeConnection({ BEGIN: [busy()] });
  const impatient = await over(stuck, 0);
  const refusal = await refusalOf(impatient.write(() => stuck.put("never"), "power"));
  expect(refusal.code).toBe("run.store_failed");
  expect(refusal.message).toContain("locked");
});

/** Flushes until the disk counts as quick. */
async function probe(queue: WriteQueue): Promise<void> {
  for (let probes = 0; probes < 4; probes += 1) await queue.write(() => undefined, "power");
  await nextTurn();
}

test("a session that is alone writes at once while the disk is quick, and nobody else does [D2]", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const [mine, other] = [{}, {}];
  const statement = (): number => {
    connection.log.push("STATEMENT");
    return 1;
  };
  expect(queue.writeNow(statement, mine)).toBe(false);
  await probe(queue);
  connection.log.length = 0;
  expect([queue.writeNow(statement, mine), queue.writeNow(statement, other)]).toEqual([true, false]);
  expect(connection.log).toEqual(["BEGIN", "STATEMENT", "COMMIT"]);
  await nextTurn();
  const waiting = queue.write(() => connection.put("mine"), "power");
  expect(queue.writeNow(statement, mine)).toBe(false);
  await waiting;
  // The one who was alone goes on at once.
  expect(queue.writeNow(statement, mine)).toBe(true);
});

test("what cannot be written at once is left to the queue or fails by itself", async () => {
  const failures: Record<string, Error[]> = {};
  const connection = fakeConnection(failures);
  const queue = await over(connection);
  await probe(queue);
  connection.log.length = 0;
  failures["BEGIN"] = [busy()];
  expect(queue.writeNow(() => 1, queue)).toBe(false);
  expect(queue.writeNow(() => 0, queue)).toBe(false);
  expect(connection.log).toEqual(["BEGIN", "BEGIN", "ROLLBACK"]);
  const refusal = (statement: () => number) =>
    refusalOf(Promise.resolve().then(() => queue.writeNow(statement, queue)));
  const full = new Error("database or disk is full");
  failures["COMMIT"] = [full];
  failures["ROLLBACK"] = [new Error("no transaction is active")];
  for (const statement of [
    () => 1,
    () => {
      throw full;
    },
  ]) {
    const { code, cause } = await refusal(statement);
    expect([code, cause]).toEqual(["run.store_failed", full]);
    expect(connection.log.at(-1)).toBe("ROLLBACK");
  }
  await queue.close();
  expect((await refusal(() => 1)).code).toBe("run.store_failed");
});

test("closing keeps what waits and refuses what comes later", async () => {
  const connection = fakeConnection();
  const queue = await over(connection);
  const waiting = queue.write(() => connection.put("last"), "power");
  await queue.close();
  await waiting;
  expect([connection.kept, connection.log.at(-1)]).toEqual([["last"], "CLOSE"]);
  expect((await refusalOf(queue.write(() => connection.put("late"), "power"))).code).toBe("run.store_failed");
});
