import { type Checkpoint, SESSION_RESULT } from "@switchyard/contracts";
import { createEnvelope, defineEngine } from "@switchyard/engine";
import { createMemoryStore } from "@switchyard/stores/memory";
import { expect, test } from "vitest";
import { resumeSession, runSession, startSession } from "../src/index.ts";
import { countingEngine, mishap } from "./counting-engine.ts";
import { collect, deferred, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

const OK = { exit_code: 0, final_message: "ok" } as const;

function storeOf({ root }: { root: string }) {
  return createMemoryStore({ directory: `${root}/../runs` });
}

test("an engine cannot fill the log or the report with warnings about itself [D13]", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(async (run, host, board) => {
    const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => "id" };
    const envelope = createEnvelope("user_input", { content: "x" }, marks);
    for (let number = 0; number < 5_000; number++) {
      const get = (): never => {
        throw new Error(`trap ${number} ${"x".repeat(5_000)}`);
      };
      await host.publish(new Proxy(envelope, { get }));
    }
    board.set(SESSION_RESULT, OK);
  });
  const { status, warnings = [] } = await runSession(task(), workspace.options({ engine }));
  expect(status).toBe("completed");
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.length).toBeLessThanOrEqual(100);
  expect(warnings.join("").length).toBeLessThan(200_000);
});

test("a question with an invalid signal is refused, and no promise remains that could reject later", async () => {
  using workspace = temporaryWorkspace();
  const [requests, started] = [deferred<unknown>(), deferred()];
  const engine = defineEngine(async (run, host, board) => {
    board.set(SESSION_RESULT, OK);
    started.resolve();
    await host.interrupts()?.receive(run.signal);
    const wrong: unknown = "soon";
    const asking: unknown = Reflect.apply(host.askUser, host, [{ parts: [] }, { signal: wrong }]);
    requests.resolve(await Promise.resolve(asking).then(() => "answered", String));
  });
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  const userPrompter = {
    askUser: (_prompt: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(new Error("not asked")))),
  };
  const handle = await startSession(task(), workspace.options({ engine, userPrompter }));
  await started.promise;
  handle.interrupt({ cause: "user_cancel" });
  expect(await requests.promise).toContain("signal");
  expect(await handle.result).toMatchObject({ status: "interrupted" });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});

test("an answer to a question of an ended run does not change the run [D7]", async () => {
  using workspace = temporaryWorkspace();
  const store = storeOf(workspace);
  const requests = deferred<unknown>();
  const engine = defineEngine(async (_run, host, board) => {
    const asking = host.askUser({ id: "why", parts: [] });
    requests.resolve(
      asking.then(
        () => "answered",
        () => "refused",
      ),
    );
    board.set(SESSION_RESULT, OK);
    await new Promise((resolve) => setImmediate(resolve));
  });
  const handle = await startSession(task(), workspace.options({ engine, store, isAnswerable: true }));
  expect(await handle.result).toMatchObject({ status: "completed" });
  const before = await store.show(handle.runId);
  expect(() => handle.answer("why", { parts: [] })).toThrow("why");
  expect(await store.show(handle.runId)).toEqual(before);
  expect(before.record?.status).toBe("completed");
});

test("checkpoints of other runs, broken ones and thousands at once neither harm the run nor outlast it", async () => {
  using workspace = temporaryWorkspace();
  const store = storeOf(workspace);
  const codes: unknown[] = [];
  const engine = defineEngine(
    async (run, host, board) => {
      const timestamp = new Date(0).toISOString();
      const own: Checkpoint = { execId: run.id, step: "own", board: board.snapshot(), timestamp };
      const trap = (): never => {
        throw new Error("trap");
      };
      const bad: unknown[] = [
        undefined,
        "text",
        { ...own, execId: "other" },
        { ...own, board: undefined },
        { ...own, payload: () => undefined },
        new Proxy(own, { get: trap }),
        Object.defineProperty({ ...own }, "payload", { get: trap, enumerable: true }),
      ];
      for (const checkpoint of bad) {
        const keeping: unknown = Reflect.apply(host.checkpoint, host, [checkpoint]);
        codes.push(
          await Promise.resolve(keeping).then(
            () => "kept",
            () => "refused",
          ),
        );
      }
      await host.checkpoint({ ...own, step: "mine", payload: "x".repeat(4_000_000) });
      // Not awaited: the run ends before these checkpoints are stored.
      for (let number = 0; number < 20_000; number++) host.checkpoint(own).catch(() => undefined);
      board.set(SESSION_RESULT, OK);
    },
    { emitsCheckpoint: true },
  );
  const handle = await startSession(task(), workspace.options({ engine, store }));
  expect(await handle.result).toMatchObject({ status: "completed" });
  expect(codes).toEqual(Array.from({ length: 7 }, () => "refused"));
  const events = await collect(store.events(handle.runId));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(typesOf(events).at(-1)).toBe("run_end");
  expect((await store.load(handle.runId))?.execId).toBe(handle.runId);
});

test("secrets in a host's settings are not stored, and the runner's own options are stored separately [D14]", async () => {
  using workspace = temporaryWorkspace();
  const store = storeOf(workspace);
  const key = "test-key-0123456789abcdef";
  const settings = { base_url: `http://127.0.0.1:1/v1?key=${key}` };
  const options = workspace.options({ engine: countingEngine(), store, secrets: [key], settings });
  const { runId } = await runSession(task(), options);
  const { request } = await store.show(runId);
  expect(request?.settings).toEqual({ base_url: "http://127.0.0.1:1/v1?key=***REDACTED***" });
  for (const name of ["budget", "attributes"]) {
    const reserved = workspace.options({ engine: countingEngine(), store, settings: { [name]: { modelCalls: 1 } } });
    await expect(startSession(task(), reserved)).rejects.toMatchObject({ code: "config.invalid" });
  }
});

test("an edited checkpoint's data about the past is read as numbers or ignored", async () => {
  using workspace = temporaryWorkspace();
  const store = storeOf(workspace);
  const failing = countingEngine({
    before: (step) => {
      if (step === 2) throw mishap();
    },
  });
  const options = workspace.options({ engine: failing, engineName: "counter", store, budget: { totalTokens: 1_000 } });
  const { runId } = await runSession(task("x", { timeout_seconds: 600 }), options);
  const edited = {
    ...store,
    acquire: async (...given: Parameters<typeof store.acquire>) => {
      const writer = await store.acquire(...given);
      const load = async () => {
        const checkpoint = await writer.load();
        if (checkpoint === undefined) throw new Error("no checkpoint");
        const used = { usage: { totalTokens: "many", inputTokens: -1 }, modelCalls: "many", activeMs: "1e9" };
        const vars = JSON.parse(
          '{"__proto__":{"polluted":true},"step":1,"__run_control_taken":"all","__run_response_ids":7}',
        );
        return { ...checkpoint, board: { ...checkpoint.board, vars: { ...vars, __run_used: used } } };
      };
      return Object.create(writer, { load: { value: load } });
    },
  };
  const resumed = await resumeSession(runId, { ...options, engine: countingEngine(), store: edited });
  expect(await resumed.result).toMatchObject({ status: "completed", usage: { totalTokens: 33 } });
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});
