import { execFileSync } from "node:child_process";
import { EngineError, type Envelope } from "@switchyard/contracts";
import { createEnvelope } from "@switchyard/engine";
import { expect, test } from "vitest";
import { createEventJournal } from "../src/host/event-journal.ts";
import { openRunStore } from "../src/index.ts";
import type { AppendFile } from "../src/run-store/append-file.ts";
import { collect, deferred, temporaryPlace, typesOf } from "./temporary-session.ts";

const CHILD = new URL("./fixtures/run-in-child.mjs", import.meta.url).pathname;

function event(content: string): Envelope {
  const marks = { runId: "r", attempt: 1, now: () => 0, createId: () => content };
  return createEnvelope("user_input", { content }, marks);
}

/** A log in memory whose next appends fail as long as `failure` is set. */
function memoryFile(): AppendFile & { text: string; failure: EngineError | undefined } {
  const file: AppendFile & { text: string; failure: EngineError | undefined } = {
    failure: undefined,
    path: "/nowhere",
    text: "",
    get size() {
      return Buffer.byteLength(file.text);
    },
    append: async (text) => {
      await Promise.resolve();
      if (file.failure !== undefined) throw file.failure;
      file.text += text;
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
  return file;
}

test("a failed append is told once, shows nobody what was not stored, and leaves no gap when it works again [D8]", async () => {
  const file = memoryFile();
  const failures: EngineError[] = [];
  const observed: Envelope[] = [];
  const observer = { publish: async (envelope: Envelope) => void observed.push(envelope) };
  const journal = createEventJournal({ file, observer, onFailure: (error) => failures.push(error) });
  await journal.publish(event("a"));
  file.failure = new EngineError("run.store_failed", { path: "p", problem: "full" });
  const lost = await Promise.allSettled([journal.publish(event("b")), journal.publish(event("c"))]);
  await expect(journal.publish(event("d"))).rejects.toMatchObject({ code: "run.store_failed" });
  expect(lost.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
  expect(failures).toHaveLength(1);
  expect(journal.lastSeq).toBe(1);
  file.failure = undefined;
  journal.retry();
  await journal.publish(event("e"));
  await journal.end();
  await expect(journal.publish(event("f"))).rejects.toMatchObject({ code: "run.finished" });
  const stored = file.text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(stored.map(({ id, seq }) => [id, seq])).toEqual([
    ["a", 1],
    ["e", 2],
  ]);
  expect(observed.map(({ id }) => id)).toEqual(["a", "e"]);
});

test("events wait for the disk together, are written in one go and seen in their order", async () => {
  const gate = deferred();
  const file = memoryFile();
  const append = file.append;
  const writes: number[] = [];
  file.append = async (text) => {
    writes.push(text.trim().split("\n").length);
    await gate.promise;
    await append(text);
  };
  const journal = createEventJournal({ file });
  const tail = journal.tail();
  const published = ["a", "b", "c", "d"].map((name) => journal.publish(event(name)));
  gate.resolve();
  await Promise.all(published);
  await journal.end();
  expect(writes).toEqual([1, 3]);
  const seen: string[] = [];
  for (let item = await tail.next(); item.kind === "event"; item = await tail.next()) seen.push(item.envelope.id);
  expect(seen).toEqual(["a", "b", "c", "d"]);
});

test("a disk that is full ends the run as an error that names the folder, and the log stays readable", async () => {
  using place = temporaryPlace();
  const output = execFileSync(
    "bash",
    // The limit counts blocks of 1,024 bytes; what is beyond it cannot be written.
    ["-c", 'ulimit -f 64; exec "$@"', "bash", process.execPath, CHILD, place.root, place.stateDirectory, "flood"],
    { encoding: "utf8" },
  );
  const report = JSON.parse(output);
  expect(report).toMatchObject({ runId: "child", status: "error", error: { code: "run.store_failed" } });
  expect(report.error.message).toContain(place.stateDirectory);
  const store = openRunStore(place.stateDirectory);
  const events = await collect(store.events("child"));
  expect(events.length).toBeGreaterThan(5);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  // What was written of the event that did not fit was taken back, so there is room for the end.
  expect(typesOf(events).slice(-2)).toEqual(["run_status_changed", "run_end"]);
  expect(events.every((found) => found.headers["run_id"] === "child")).toBe(true);
  expect((await store.show("child")).record?.status).toBe("error");
});
