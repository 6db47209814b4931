import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, SESSION_RESULT } from "@switchyard/contracts";
import { envelopeSchema } from "@switchyard/contracts/schemas";
import { createEnvelope, defineEngine } from "@switchyard/engine";
import { secret } from "@switchyard/secrets";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { runSession, startSession } from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

function marks(runId: string) {
  return { runId, actor: "a", attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
}

function sayings(count: number, more: { size?: number; ready?: Promise<void> } = {}) {
  return defineEngine(async (run, host, board) => {
    await more.ready;
    for (let number = 1; number <= count; number++) {
      await host.publish(
        createEnvelope("user_input", { content: `${number} ${"x".repeat(more.size ?? 0)}` }, marks(run.id)),
      );
    }
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
}

test("each iteration delivers every stored event once and in order, from the beginning or after a seq [D8]", async () => {
  using workspace = temporaryWorkspace();
  const ready = deferred();
  const handle = await startSession(task(), workspace.options({ engine: sayings(200, { ready: ready.promise }) }));
  const early = collect(handle.events());
  const behind = collect(handle.events(100));
  ready.resolve();
  const late = collect(handle.events(3));
  const all = await early;
  const after = await collect(handle.events());
  expect(all.map((event) => event.seq)).toEqual(Array.from({ length: 203 }, (_, index) => index + 1));
  expect(after).toEqual(all);
  expect(await behind).toEqual(all.slice(100));
  expect(await late).toEqual(all.slice(3));
  expect(await collect(openFileStore({ directory: workspace.stateDirectory }).events(handle.runId))).toEqual(all);
  expect(all.every((event) => envelopeSchema.safeParse(event).success)).toBe(true);
});

test("an event without the subject of its run gets one, also the first event of a run [engine-subjects-1]", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(async (run, host, board) => {
    for (const subject of ["", "elsewhere", `engine.run.${run.id}.${"x.".repeat(100_000)}x`]) {
      await host.publish({ ...createEnvelope("user_input", { content: "hi" }, marks(run.id)), subject });
    }
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  const handle = await startSession(task(), workspace.options({ engine }));
  const events = await collect(handle.events());
  const own = events.filter(({ type }) => type === "user_input").map(({ subject }) => subject);
  expect(own).toHaveLength(3);
  expect(own.filter((subject) => !subject.startsWith(`engine.run.${handle.runId}.`))).toEqual([]);
  expect(own.filter((subject) => subject.length > 1_000)).toEqual([]);
});

test("an event that a reader receives is already in the log [D8]", async () => {
  using workspace = temporaryWorkspace();
  const handle = await startSession(task(), workspace.options({ engine: sayings(50) }));
  const store = openFileStore({ directory: workspace.stateDirectory });
  for await (const event of handle.events()) {
    const stored = await collect(store.events(handle.runId, (event.seq ?? 0) - 1));
    expect(stored[0]).toEqual(event);
  }
});

test("increments reach live readers in their position, are not stored and have no seq [D8]", async () => {
  using workspace = temporaryWorkspace();
  const ready = deferred();
  const engine = defineEngine(async (run, host, board) => {
    await ready.promise;
    const publish = (envelope: Envelope) => host.publish(envelope);
    const unawaited = [publish(createEnvelope("assistant_text_start", {}, marks(run.id)))];
    for (let number = 0; number < 20_000; number++) {
      unawaited.push(
        publish(createEnvelope("assistant_text_delta", { type: "token", content: `${number},` }, marks(run.id))),
      );
    }
    unawaited.push(publish(createEnvelope("assistant_text_end", { content: "whole" }, marks(run.id))));
    await Promise.all(unawaited);
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  const handle = await startSession(task(), workspace.options({ engine }));
  const reading = collect(handle.events());
  ready.resolve();
  const events = await reading;
  const deltas = events.filter((event) => event.type === "assistant_text_delta");
  expect(deltas.map((event) => event.payload.content).join("")).toBe(
    Array.from({ length: 20_000 }, (_, n) => `${n},`).join(""),
  );
  expect(deltas.every((event) => event.seq === undefined)).toBe(true);
  const types = typesOf(events);
  expect(types.indexOf("assistant_text_start")).toBeLessThan(types.indexOf("assistant_text_delta"));
  expect(types.lastIndexOf("assistant_text_delta")).toBeLessThan(types.indexOf("assistant_text_end"));
  const stored = await collect(openFileStore({ directory: workspace.stateDirectory }).events(handle.runId));
  expect(typesOf(stored)).toEqual([
    "run_start",
    "assistant_text_start",
    "assistant_text_end",
    "run_status_changed",
    "run_end",
  ]);
});

test("a slow reader neither delays the run nor loses a stored event [D13]", async () => {
  using workspace = temporaryWorkspace();
  const ready = deferred();
  const handle = await startSession(
    task(),
    workspace.options({ engine: sayings(300, { size: 100_000, ready: ready.promise }) }),
  );
  const iterator = handle.events()[Symbol.asyncIterator]();
  const first = await iterator.next();
  ready.resolve();
  // The writer published 30 MB while the reader took one event, which exceeds the reader's buffer.
  expect((await handle.result).status).toBe("completed");
  const seen = [first.value?.seq];
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) seen.push(next.value.seq);
  expect(seen).toEqual(Array.from({ length: 303 }, (_, index) => index + 1));
});

test("a reader may leave at any time, and an observer that fails has no effect", async () => {
  using workspace = temporaryWorkspace();
  const observed: Envelope[] = [];
  const observer = {
    publish: async (envelope: Envelope) => {
      observed.push(envelope);
      throw new Error("observer");
    },
  };
  const handle = await startSession(task(), workspace.options({ engine: sayings(20), observer }));
  for await (const event of handle.events()) if (event.seq === 5) break;
  const report = await handle.result;
  expect(report.status).toBe("completed");
  expect(observed.map((event) => event.seq)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
});

test("secrets are in no event, file or report, also when they are cut over increments [custom-masking-5]", async () => {
  using workspace = temporaryWorkspace();
  const key = `sk-${"q7Zk".repeat(8)}`;
  const quoted = `${key}"\\end`;
  const engine = defineEngine(async (run, host, board) => {
    for (const content of [`a ${key.slice(0, 9)}`, key.slice(9, 20), `${key.slice(20)} z`]) {
      await host.publish(createEnvelope("assistant_text_delta", { type: "token", content }, marks(run.id)));
    }
    await host.publish(createEnvelope("assistant_text_end", { content: `a ${key} z` }, marks(run.id)));
    await host.publish(createEnvelope("stream_delta", { type: "thought", text: `with ${key}` }, marks(run.id)));
    const call = { type: "tool_call", id: "1", name: "shell", arguments: JSON.stringify({ command: quoted }) } as const;
    await host.publish(createEnvelope("tool_call_start", call, marks(run.id)));
    board.set(SESSION_RESULT, {
      exit_code: 1,
      final_message: key,
      stderr: Buffer.from(key).toString("base64"),
      engine: key,
    });
    throw new Error(`failed with ${key}`);
  });
  const options = workspace.options({ engine, secrets: [secret(key), quoted] });
  const handle = await startSession(task(`use ${key}`), options);
  const events = await collect(handle.events());
  const report = await handle.result;
  const folder = report.runFolder ?? "";
  const files = ["run.json", "events.jsonl", "report.json"].map((file) => readFileSync(join(folder, file), "utf8"));
  for (const text of [JSON.stringify(events), JSON.stringify(report), ...files]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(key.slice(9, 20));
    expect(text).not.toContain(Buffer.from(key).toString("base64"));
  }
  const deltas = events.filter((event) => event.type === "assistant_text_delta").map((event) => event.payload.content);
  expect(deltas.join("")).toBe("a ***REDACTED*** z");
  expect(report.error?.message).toContain("***REDACTED***");
});

test("a run can be read while it continues, and an incomplete last line is not returned yet", async () => {
  using workspace = temporaryWorkspace();
  const ready = deferred();
  const handle = await startSession(task(), workspace.options({ engine: sayings(1, { ready: ready.promise }) }));
  const iterator = handle.events()[Symbol.asyncIterator]();
  await iterator.next();
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect((await store.show(handle.runId)).report).toBeUndefined();
  expect(typesOf(await collect(store.events(handle.runId)))).toEqual(["run_start"]);
  ready.resolve();
  const report = await handle.result;
  appendFileSync(join(report.runFolder ?? "", "events.jsonl"), '{"id":"half');
  expect(typesOf(await collect(store.events(handle.runId)))).toEqual([
    "run_start",
    "user_input",
    "run_status_changed",
    "run_end",
  ]);
});

test("a hundred runs at once have logs without gaps", async () => {
  using workspace = temporaryWorkspace();
  const reports = await Promise.all(
    Array.from({ length: 100 }, () => runSession(task(), workspace.options({ engine: sayings(10) }))),
  );
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect(new Set(reports.map((report) => report.runId)).size).toBe(100);
  for (const { runId } of reports) {
    const numbers = (await collect(store.events(runId))).map((event) => event.seq);
    expect(numbers).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  }
  expect(await store.list()).toHaveLength(100);
});
