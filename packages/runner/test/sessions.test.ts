import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEPENDENCY, type Host, MAIN_CHANNEL, SESSION_INPUT, SESSION_RESULT, textMessage } from "@switchyard/contracts";
import { runRecordSchema, sessionReportSchema } from "@switchyard/contracts/schemas";
import { createEngineRegistry, createEnvelope, defineEngine, hostFuncs } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { runSession, startSession } from "../src/index.ts";
import { collect, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

const answering = defineEngine(async (_run, _host, board) => {
  board.appendChannelMessage(MAIN_CHANNEL, textMessage("assistant", "All done."));
});

test("a session converts its input to a report, a record and a log that agree", async () => {
  using workspace = temporaryWorkspace();
  const registry = createEngineRegistry({ scribe: answering });
  const handle = await startSession(
    task("Fix the bug.", { case_id: "c1" }),
    workspace.options({ engine: "scribe", registry }),
  );
  const seen = await collect(handle.events());
  const report = await handle.result;

  expect(report).toMatchObject({
    runId: handle.runId,
    engine: "scribe",
    status: "completed",
    result: { exit_code: 0, final_message: "All done.", engine: "scribe", turns: 1 },
    artifacts: [],
  });
  expect(typesOf(seen)).toEqual(["run_start", "run_status_changed", "run_end"]);
  expect(seen.map((event) => event.seq)).toEqual([1, 2, 3]);
  const stored = await openFileStore({ directory: workspace.stateDirectory }).show(handle.runId);
  expect(stored.problems).toEqual([]);
  expect(stored.report).toEqual(report);
  expect(stored.record).toMatchObject({ status: "completed", engine: "scribe", title: "Fix the bug.", attempt: 1 });
  expect(runRecordSchema.safeParse(stored.record).success).toBe(true);
  expect(sessionReportSchema.safeParse(report).success).toBe(true);
});

test("the engine receives input, environment, control, attributes and a signal, and can change none of them", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(async (run, _host, board) => {
    const input = board.get(SESSION_INPUT);
    expect(input).toMatchObject({ workspace: workspace.root, kwargs: { profile: "strict" } });
    expect(run.deps.has(DEPENDENCY.environment)).toBe(true);
    expect(run.deps.has(DEPENDENCY.control)).toBe(true);
    expect(run.attributes).toEqual({
      "agent.id": "custom",
      case_id: "c1",
      variant: "v",
      "kwargs.profile": "strict",
      "tenant.id": "t",
    });
    expect(run.parentRunId).toBe("parent");
    expect(() => Object.assign(run.attributes, { x: "y" })).toThrow(TypeError);
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  const input = task("x", { case_id: "c1", variant: "v", kwargs: { profile: "strict" } });
  const options = workspace.options({ engine, attributes: { "tenant.id": "t" }, parentRunId: "parent" });
  const report = await runSession(input, options);
  expect(report.error).toBeUndefined();
  expect(report.status).toBe("completed");
});

test("a result from before the engine's failure is kept, and claims no success", async () => {
  using workspace = temporaryWorkspace();
  const hasty = defineEngine(async (_run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "All done." });
    throw new Error("not quite");
  });
  const report = await runSession(task(), workspace.options({ engine: hasty }));
  expect(report).toMatchObject({
    status: "error",
    result: { exit_code: 1, final_message: "All done." },
    error: { code: "engine.failed" },
  });
});

test("a result with an exit code other than 0 is kept, and the run failed [custom-errors-3] [custom-errors-4]", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(async (_run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 3, final_message: "No luck.", stderr: "boom" });
  });
  const report = await runSession(task("x", { model: "acme/one" }), workspace.options({ engine, engineName: "acme" }));
  expect(report).toMatchObject({
    status: "failed",
    model: "acme/one",
    result: { exit_code: 3, final_message: "No luck.", stderr: "boom", engine: "acme", model: "acme/one" },
  });
  expect(report.result?.transcript).toEqual([
    { role: "user", content: "x" },
    { role: "assistant", content: "No luck." },
  ]);
  expect(report.error).toBeUndefined();
});

test("an engine without result or answer, and one with an invalid result, end as errors [custom-errors-2]", async () => {
  using workspace = temporaryWorkspace();
  const silent = await runSession(task(), workspace.options({ engine: defineEngine() }));
  expect(silent).toMatchObject({ status: "error", error: { code: "run.no_result" } });
  const liar = defineEngine(async (_run, _host, board) => board.setVar(SESSION_RESULT.name, { final_message: 7 }));
  const report = await runSession(task(), workspace.options({ engine: liar }));
  expect(report).toMatchObject({ status: "error", error: { code: "result.invalid" } });
  expect(report.error?.message).toContain("exit_code");
});

test("artifacts, workspace diff and logs reach the report [custom-artifacts-11]", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(async (_run, _host, board) => {
    board.set(SESSION_RESULT, {
      exit_code: 0,
      final_message: "",
      artifacts: { workspace_diff: "diff --git a b", logs: "log text", files: [{ name: "a.txt", content: "A" }] },
    });
  });
  const report = await runSession(task(), workspace.options({ engine }));
  expect(report.result?.artifacts).toMatchObject({ workspace_diff: "diff --git a b", logs: "log text" });
  expect(report.artifacts).toEqual([{ name: "a.txt", path: "a.txt", bytes: 1 }]);
  expect(readFileSync(join(report.runFolder ?? "", "artifacts", "a.txt"), "utf8")).toBe("A");
});

test("large inline contents are in the archive and not in the report", async () => {
  using workspace = temporaryWorkspace();
  const content = "x".repeat(100_000);
  const engine = defineEngine(async (_run, _host, board) => {
    const files = [
      { name: "big.txt", content },
      { name: "url.html", url: "https://example.com/a" },
    ];
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "", artifacts: { files } });
  });
  const report = await runSession(task(), workspace.options({ engine }));
  expect(report.result?.artifacts?.files).toEqual([
    { name: "big.txt" },
    { name: "url.html", url: "https://example.com/a" },
  ]);
  expect(report.artifacts[0]).toMatchObject({ path: "big.txt", bytes: 100_000 });
  expect(report.artifacts[1]?.dropped).toContain("artifacts.files[1]");
  expect(report.warnings).toHaveLength(1);
});

test("everything of a run can be read by its owner only", async () => {
  using workspace = temporaryWorkspace();
  const report = await runSession(task(), workspace.options({ engine: answering }));
  const modeOf = (path: string): number => statSync(join(report.runFolder ?? "", path)).mode & 0o777;
  expect([modeOf("."), modeOf("run.json"), modeOf("events.jsonl"), modeOf("report.json")]).toEqual([
    0o700, 0o600, 0o600, 0o600,
  ]);
});

test("an environment that was handed in stays open, one that was configured is closed", async () => {
  using workspace = temporaryWorkspace();
  await using environment = await openLocalEnvironment({ root: workspace.root });
  await runSession(task(), workspace.options({ engine: answering, environment }));
  expect(await environment.exists(".")).toBe(true);

  let inside: unknown;
  const keeper = defineEngine(async (run, _host, board) => {
    inside = run.deps.get(DEPENDENCY.environment);
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  await runSession(task(), workspace.options({ engine: keeper }));
  expect(inside).toHaveProperty("stat");
  const stat: unknown = Reflect.get(Object(inside), "stat");
  await expect(Reflect.apply(Object(stat), inside, ["."])).rejects.toMatchObject({ code: "environment.closed" });
});

test("tokens are counted once: the reported ones, else those of the events [engine-usage-reporter-1]", async () => {
  using workspace = temporaryWorkspace();
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const marks = (runId: string) => ({ runId, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() });
  const both = defineEngine(async (run, host, board) => {
    for (const response_id of ["a", "b", "b"]) {
      await host.publish(createEnvelope("usage_reported", { response_id, usage }, marks(run.id)));
    }
    await host.reportUsage(usage);
    await host.reportUsage({ ...usage, inputTokens: Number.NaN });
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  const report = await runSession(task(), workspace.options({ engine: both }));
  expect(report.usage).toEqual({ inputTokens: 10, outputTokens: 10, totalTokens: 30 });
  expect(report.result).toMatchObject({ input_tokens: 10, output_tokens: 10 });

  const eventsOnly = defineEngine(async (run, host, board) => {
    for (const response_id of ["a", "b", "b"]) {
      await host.publish(createEnvelope("usage_reported", { response_id, usage }, marks(run.id)));
    }
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  expect((await runSession(task(), workspace.options({ engine: eventsOnly }))).usage.totalTokens).toBe(30);
});

test("middleware wraps the host, the first outermost; one that returns nothing is refused before the run", async () => {
  using workspace = temporaryWorkspace();
  const calls: string[] = [];
  const engine = defineEngine(async (_run, host, board) => {
    await host.reportUsage({ inputTokens: 1, outputTokens: 0, totalTokens: 1 });
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  const named = (name: string) => (inner: Host) =>
    hostFuncs(inner, {
      reportUsage: async (usage) => {
        calls.push(name);
        await inner.reportUsage(usage);
      },
    });
  const report = await runSession(
    task(),
    workspace.options({ engine, middlewares: [named("A"), undefined, named("B")] }),
  );
  expect(calls).toEqual(["A", "B"]);
  expect(report.usage.inputTokens).toBe(1);
  const broken = runSession(
    task(),
    workspace.options({ engine, middlewares: [Reflect.get.bind(null, {}, "nothing")] }),
  );
  await expect(broken).rejects.toMatchObject({ code: "engine.invalid_middleware" });
});

test("a checkpoint is reported only once it is stored, and a foreign one is refused [engine-checkpointer-3]", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(
    async (run, host, board) => {
      const checkpoint = { execId: run.id, step: "one", board: board.snapshot(), timestamp: "2026-01-01T00:00:00Z" };
      await host.checkpoint(checkpoint);
      await expect(host.checkpoint({ ...checkpoint, execId: "other" })).rejects.toMatchObject({
        code: "checkpoint.foreign",
      });
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
    },
    { emitsCheckpoint: true },
  );
  const handle = await startSession(task(), workspace.options({ engine }));
  const events = await collect(handle.events());
  expect((await handle.result).status).toBe("completed");
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect(await store.load(handle.runId)).toMatchObject({ execId: handle.runId, step: "one" });
  const [reported, ...others] = events.filter((event) => event.type === "checkpoint_saved");
  expect(reported?.payload).toEqual({ number: 1, step: "one", active_ms: expect.any(Number) });
  expect(others).toEqual([]);
});

test("a host can receive the original error of a run, and its own errors do not affect the run", async () => {
  using workspace = temporaryWorkspace();
  const cause = new Error("not quite");
  const failing = defineEngine(async () => {
    throw cause;
  });
  const reported: unknown[] = [];
  const onError = (error: unknown): void => {
    reported.push(error);
    throw new Error("the host's own trouble");
  };
  const report = await runSession(task(), workspace.options({ engine: failing, onError }));
  expect(report).toMatchObject({ status: "error", error: { code: "engine.failed" } });
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatchObject({ code: "engine.failed", cause });
});
