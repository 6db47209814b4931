import { execFileSync } from "node:child_process";
import { EngineError, type Envelope, type EventText } from "@switchyard/contracts";
import { createEnvelope } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { bundleFromSource } from "@switchyard/suite/load-from-source";
import { beforeAll, expect, test } from "vitest";
import { createEventJournal } from "../src/host/event-journal.ts";
import { collect, deferred, temporaryWorkspace, typesOf } from "./temporary-session.ts";

const CHILD = new URL("./fixtures/run-in-child.mjs", import.meta.url).pathname;

// The child may not write the bundle that it loads.
beforeAll(() =>
  bundleFromSource(new URL("./fixtures/child-session.ts", import.meta.url), new URL("..", import.meta.url)),
);

function event(content: string): Envelope {
  const marks = { runId: "r", attempt: 1, now: () => 0, createId: () => content };
  return createEnvelope("user_input", { content }, marks);
}

/** In-memory log. */
interface MemoryLog {
  readonly runId: string;
  readonly stored: EventText[];
  /** Number of events in each write. */
  readonly writes: number[];
  /** Error of the next appends. `undefined`: they succeed. */
  failure: EngineError | undefined;
  readonly lastSeq: number;
  append(events: readonly EventText[]): Promise<void>;
}

function memoryLog(): MemoryLog {
  const stored: EventText[] = [];
  const log: MemoryLog = {
    ...{ runId: "r", stored, writes: [], failure: undefined },
    get lastSeq() {
      return stored.length;
    },
    append: async (events) => {
      log.writes.push(events.length);
      await Promise.resolve();
      if (log.failure !== undefined) throw log.failure;
      stored.push(...events);
    },
  };
  return log;
}

const NO_STORE = {
  async *events() {
    // This test reads no events.
  },
};

test("a failed append is reported once, exposes no event that was not stored, and leaves no gap when it works again [D8]", async () => {
  const log = memoryLog();
  const failures: EngineError[] = [];
  const observed: Envelope[] = [];
  const observer = { publish: async (envelope: Envelope) => void observed.push(envelope) };
  const onFailure = (error: EngineError) => failures.push(error);
  const journal = createEventJournal({ writer: log, store: NO_STORE, observer, onFailure });
  await journal.publish(event("a"));
  log.failure = new EngineError("run.store_failed", { path: "p", problem: "full" });
  const lost = await Promise.allSettled([journal.publish(event("b")), journal.publish(event("c"))]);
  await expect(journal.publish(event("d"))).rejects.toMatchObject({ code: "run.store_failed" });
  expect(lost.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
  expect(failures).toHaveLength(1);
  expect(journal.lastSeq).toBe(1);
  log.failure = undefined;
  journal.retry();
  await journal.publish(event("e"));
  await journal.end();
  await expect(journal.publish(event("f"))).rejects.toMatchObject({ code: "run.finished" });
  const stored = log.stored.map(({ seq, text }) => [seq, JSON.parse(text)]);
  expect(stored.map(([number, { id, seq }]) => [number, id, seq])).toEqual([
    [1, "a", 1],
    [2, "e", 2],
  ]);
  expect(observed.map(({ id }) => id)).toEqual(["a", "e"]);
});

test("events that are published together, or wait for the disk, are written at once and observed in their order", async () => {
  const gate = deferred();
  const log = memoryLog();
  const begun = deferred();
  const append = log.append;
  log.append = async (events) => {
    begun.resolve();
    await gate.promise;
    await append(events);
  };
  const journal = createEventJournal({ writer: log, store: NO_STORE });
  const tail = journal.tail();
  const published = ["a", "b"].map((name) => journal.publish(event(name)));
  await begun.promise;
  published.push(...["c", "d", "e"].map((name) => journal.publish(event(name))));
  gate.resolve();
  await Promise.all(published);
  await journal.end();
  expect(log.writes).toEqual([2, 3]);
  const seen: string[] = [];
  for (let item = await tail.next(); item.kind === "event"; item = await tail.next()) seen.push(item.envelope.id);
  expect(seen).toEqual(["a", "b", "c", "d", "e"]);
});

test("a disk that is full ends the run as an error that names the folder, and the log stays readable", async () => {
  using workspace = temporaryWorkspace();
  const output = execFileSync(
    "bash",
    // The limit counts blocks of 1,024 bytes. Writes beyond it fail.
    [
      "-c",
      'ulimit -f 64; exec "$@"',
      "bash",
      process.execPath,
      CHILD,
      workspace.root,
      workspace.stateDirectory,
      "flood",
    ],
    { encoding: "utf8" },
  );
  const report = JSON.parse(output);
  expect(report).toMatchObject({ runId: "child", status: "error", error: { code: "run.store_failed" } });
  expect(report.error.message).toContain(workspace.stateDirectory);
  const store = openFileStore({ directory: workspace.stateDirectory });
  const events = await collect(store.events("child"));
  expect(events.length).toBeGreaterThan(5);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  // The partial write of the event that did not fit was rolled back, so there is space for the last events.
  expect(typesOf(events).slice(-2)).toEqual(["run_status_changed", "run_end"]);
  expect(events.every((found) => found.headers["run_id"] === "child")).toBe(true);
  expect((await store.show("child")).record?.status).toBe("error");
});
