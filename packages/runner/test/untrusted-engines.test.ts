import { type Engine, EngineError, type Envelope, SESSION_RESULT } from "@switchyard/contracts";
import { createBoard, createEnvelope, defineEngine } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { runSession, startSession } from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

function marks(runId: string) {
  return { runId, attempt: 7, now: Date.now, createId: () => crypto.randomUUID() };
}

const OK = { exit_code: 0, final_message: "ok" } as const;

test("engines that throw anything at any time end as errors, and the handle resolves", async () => {
  using workspace = temporaryWorkspace();
  const throws = (execute: () => unknown): Engine => ({ execute: async () => Promise.reject(execute()) });
  const synchronous: Engine = {
    execute: () => {
      throw new Error("at once");
    },
  };
  const cases: [Engine, string, string][] = [
    [synchronous, "engine.failed", "at once"],
    [throws(() => "a text"), "engine.failed", "a text"],
    [throws(() => undefined), "engine.failed", "undefined"],
    [throws(() => Object.create(null)), "engine.failed", "cannot be printed"],
    [
      throws(() => new Error("wrapped", { cause: new EngineError("llm.network", { url: "u", problem: "p" }) })),
      "llm.network",
      "u",
    ],
    [{ execute: async () => createBoard() }, "run.no_result", "without a result"],
  ];
  for (const [engine, code, message] of cases) {
    const report = await runSession(task(), workspace.options({ engine }));
    expect(report).toMatchObject({ status: "error", error: { code } });
    expect(report.error?.message).toContain(message);
  }
});

test("a run whose engine throws a value that cannot be printed has a complete log", async () => {
  using workspace = temporaryWorkspace();
  const engine: Engine = { execute: () => Promise.reject(Object.create(null)) };
  const handle = await startSession(task(), workspace.options({ engine }));
  expect(typesOf(await collect(handle.events()))).toEqual(["run_start", "run_status_changed", "run_end"]);
});

test("an event that throws when it is read is omitted with a warning, and the engine continues", async () => {
  using workspace = temporaryWorkspace();
  const trap = (): never => {
    throw new Error("trap");
  };
  const engine: Engine = {
    execute: async (run, host, board) => {
      const envelope = createEnvelope("assistant_text_delta", { type: "token", content: "x" }, marks(run.id));
      await host.publish(new Proxy(envelope, { get: trap }));
      Object.defineProperty(envelope.payload, "content", { get: trap });
      await host.publish(envelope);
      board.set(SESSION_RESULT, OK);
      return board;
    },
  };
  const report = await runSession(task(), workspace.options({ engine }));
  expect(report).toMatchObject({ status: "completed", warnings: [expect.stringContaining("cannot be read: trap")] });
});

test("an engine's own report of an interrupt or timeout is accepted only within limits", async () => {
  using workspace = temporaryWorkspace();
  const throwing = (code: "run.interrupted" | "run.timed_out" | "run.cancelled"): Engine => ({
    execute: async () => {
      throw new EngineError(code);
    },
  });
  const statusOf = async (engine: Engine, timeout_seconds: number) =>
    (await runSession(task("x", { timeout_seconds }), workspace.options({ engine }))).status;
  expect(await statusOf(throwing("run.interrupted"), 0)).toBe("interrupted");
  expect(await statusOf(throwing("run.timed_out"), 60)).toBe("timed_out");
  expect(await statusOf(throwing("run.timed_out"), 0)).toBe("error");
  expect(await statusOf(throwing("run.cancelled"), 0)).toBe("error");
});

test("start and end of a run are present exactly once, whatever the engine publishes", async () => {
  using workspace = temporaryWorkspace();
  const bare: Engine = {
    execute: async (run, host, board) => {
      await host.publish(createEnvelope("user_input", { content: "x" }, marks(run.id)));
      for (const outcome of ["completed", "failed"] as const) {
        await host.publish(createEnvelope("run_start", { resumed: true }, marks(run.id)));
        await host.publish(createEnvelope("run_end", { outcome }, marks(run.id)));
      }
      await host.publish(createEnvelope("steering_injected", { content: "y" }, marks(run.id)));
      board.set(SESSION_RESULT, OK);
      return board;
    },
  };
  const handle = await startSession(task(), workspace.options({ engine: bare }));
  const events = await collect(handle.events());
  expect(typesOf(events)).toEqual(["run_start", "user_input", "steering_injected", "run_status_changed", "run_end"]);
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(events.map((event) => event.attempt))).toEqual(new Set([1]));
  expect((await handle.result).status).toBe("completed");
});

test("events of other runs, of the runner, of no kind and with no data are refused or put right", async () => {
  using workspace = temporaryWorkspace();
  const engine: Engine = {
    execute: async (run, host, board) => {
      const own = createEnvelope("user_input", { content: "x" }, marks(run.id));
      const foreign: Envelope = {
        ...own,
        subject: "engine.run.other.session._.user_input",
        headers: { run_id: "other" },
        seq: 99,
      };
      await host.publish(foreign);
      await host.publish({ ...own, subject: `engine.run.${run.id}.>` });
      await host.publish(createEnvelope("run_status_changed", { status: "completed" }, marks(run.id)));
      const circular: Record<string, unknown> = {};
      circular["self"] = circular;
      const bad: unknown[] = [
        undefined,
        "text",
        { ...own, type: "no_such_event" },
        { ...own, payload: { content: 1n } },
        { ...own, payload: circular },
        { ...own, payload: { content: "x".repeat(20 * 1024 * 1024) } },
      ];
      for (const envelope of bad) await Reflect.apply(host.publish, host, [envelope]);
      board.set(SESSION_RESULT, OK);
      return board;
    },
  };
  const handle = await startSession(task(), workspace.options({ engine }));
  const events = await collect(handle.events());
  const inputs = events.filter((event) => event.type === "user_input");
  expect(inputs.map((event) => event.subject)).toEqual(
    Array.from({ length: 2 }, () => `engine.run.${handle.runId}.session.engine.user_input`),
  );
  expect(inputs.map((event) => event.headers["run_id"])).toEqual([handle.runId, handle.runId]);
  expect(events.filter((event) => event.type === "run_status_changed")).toHaveLength(1);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const report = await handle.result;
  expect(report.status).toBe("completed");
  expect(report.warnings).toEqual([
    "The engine published run_status_changed, which only the runner may.",
    "The engine published an event that is not in the event table.",
    "An event user_input was left out: it is not plain data.",
    "An event user_input was left out: it has more than 16777216 characters.",
  ]);
});

test("events that an engine publishes after its end are refused, and no subscriber receives them", async () => {
  using workspace = temporaryWorkspace();
  let late: Promise<unknown> = Promise.resolve();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const engine = defineEngine(async (run, host, board) => {
    board.set(SESSION_RESULT, OK);
    late = released.then(() => host.publish(createEnvelope("user_input", { content: "late" }, marks(run.id))));
    late.catch(() => undefined);
  });
  const handle = await startSession(task(), workspace.options({ engine }));
  await handle.result;
  release();
  await expect(late).rejects.toMatchObject({ code: "run.finished" });
  const stored = await collect(openFileStore({ directory: workspace.stateDirectory }).events(handle.runId));
  expect(typesOf(stored)).toEqual(["run_start", "run_status_changed", "run_end"]);
});

test("an engine that returns another board is reported, and its own board counts", async () => {
  using workspace = temporaryWorkspace();
  const engine: Engine = {
    execute: async (_run, _host, board) => {
      board.set(SESSION_RESULT, OK);
      const other = createBoard();
      other.set(SESSION_RESULT, { exit_code: 9, final_message: "other" });
      return other;
    },
  };
  const report = await runSession(task(), workspace.options({ engine }));
  expect(report.result?.exit_code).toBe(0);
  expect(report.warnings).toHaveLength(1);
});

test("messages to an engine that does not accept messages cause a warning; other engines receive each message once", async () => {
  using workspace = temporaryWorkspace();
  const deaf = await startSession(
    task(),
    workspace.options({ engine: defineEngine(() => new Promise(() => undefined)), cancelGraceMs: 1 }),
  );
  deaf.steer("left");
  deaf.interrupt({ cause: "user_cancel" });
  expect(typesOf(await firstOf(deaf.events(), 3))).toContain("warning");

  const received: unknown[] = [];
  const listens = deferred();
  const listening = defineEngine(
    async (run, _host, board) => {
      const control: unknown = run.deps.get("session.control");
      const drain: unknown = Reflect.get(Object(control), "drain");
      const onMessage: unknown = Reflect.get(Object(control), "onMessage");
      await new Promise<void>((resolve) => {
        Reflect.apply(Object(onMessage), control, [resolve]);
        listens.resolve();
      });
      received.push(Reflect.apply(Object(drain), control, []), Reflect.apply(Object(drain), control, []));
      board.set(SESSION_RESULT, OK);
    },
    { acceptsSteering: true },
  );
  const handle = await startSession(task(), workspace.options({ engine: listening }));
  await listens.promise;
  handle.followUp("then this");
  expect((await handle.result).warnings).toBeUndefined();
  expect(received).toEqual([[{ type: "follow_up", text: "then this" }], []]);
});

async function firstOf(events: AsyncIterable<Envelope>, count: number): Promise<Envelope[]> {
  const first: Envelope[] = [];
  for await (const event of events) {
    first.push(event);
    if (first.length === count) break;
  }
  return first;
}
