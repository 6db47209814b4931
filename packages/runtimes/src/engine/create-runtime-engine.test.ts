import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEPENDENCY, type Run, SESSION_INPUT, SESSION_RESULT, type SessionInput } from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  createRuntimeEngine,
  createRuntimeRegistry,
  loadRuntimePackage,
  parseTaskRequest,
  toSessionInput,
  toTaskOutcome,
} from "../index.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/runtimes/", import.meta.url));

interface Trial {
  readonly runtime: string;
  readonly input?: Partial<SessionInput>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** Runs a session with the engine of a sample package. */
async function runSession({ runtime: name, input, config, signal }: Trial) {
  const root = await mkdtemp(join(tmpdir(), "switchyard-runtime-engine-"));
  const environment = await openLocalEnvironment({ root, env: process.env });
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "Say hello." }], ...input });
  const deps = createDependencies();
  deps.set(DEPENDENCY.environment, environment);
  const run: Run = { id: "run-1", attributes: {}, deps, signal: signal ?? new AbortController().signal };
  const host = recordingHost();
  const runtime = await loadRuntimePackage(join(FIXTURES, name));
  const engine = createRuntimeEngine({
    selected: createRuntimeRegistry([runtime]).select({ backend: name }),
    openFolder: (folder) => openLocalEnvironment({ root: folder, env: process.env }),
    config,
  });
  try {
    const error: unknown = await engine.execute(run, host, board).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { error, result: board.get(SESSION_RESULT), types: host.types() };
  } finally {
    await environment[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  }
}

test("a session becomes a task, and its outcome the result", async () => {
  const { error, result, types } = await runSession({ runtime: "minimal" });
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ exit_code: 0, final_message: "You asked: Say hello.", engine: "minimal" });
  expect(types).toEqual(["run_start", "user_input", "assistant_text_end", "run_end"]);
});

test("a failed task is a result with exit code 1, and is preserved", async () => {
  const { error, result } = await runSession({
    runtime: "liar",
    config: { outcome: { status: "failed", summary: "No." } },
  });
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ exit_code: 1, final_message: "No." });
});

test("without an outcome from the provider the run fails, and the board contains what is known", async () => {
  const { error, result } = await runSession({ runtime: "liar", config: { exit: 7 } });
  expect(error).toMatchObject({ code: "runtime.command_failed" });
  expect(result).toMatchObject({ exit_code: 1, stderr: expect.stringContaining("agent_task.provider_nonzero_exit") });
});

test("the session's time limit applies to the task, and exceeding it is a timeout", async () => {
  const { error } = await runSession({ runtime: "liar", config: { hangs: true }, input: { timeout_seconds: 0.7 } });
  expect(error).toMatchObject({ code: "runtime.timeout", details: { timeoutMs: 700 } });
});

test("a cancelled run ends its command and is classified as cancelled", async () => {
  const signal = AbortSignal.timeout(800);
  const { error } = await runSession({ runtime: "liar", config: { hangs: true }, signal });
  expect(error).toMatchObject({ name: "EngineError" });
  expect(error).toHaveProperty("class", expect.stringMatching(/aborted|timeout/u));
});

test("a conversation passes through a task and back unchanged", () => {
  const messages = [
    { role: "user", content: "One." },
    { role: "assistant", content: "Yes." },
    { role: "user", content: "Two." },
  ];
  const request = { schema: "homeboy/agent-task-request/v1", task_id: "t", executor: { backend: "b" } };
  const continued = parseTaskRequest({ ...request, instructions: "Two.", inputs: { messages } });
  expect(toSessionInput(continued).messages).toEqual(messages);
  const withData = parseTaskRequest({ ...request, instructions: "Two.", inputs: { lines: [1] } });
  expect(toSessionInput(withData).messages[0]?.content).toMatch(/^Two\.\n\n[\s\S]*"lines"/u);
});

const REPORT = {
  ...{ runId: "r", engine: "agent", artifacts: [], usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } },
  timing: { startedAt: "", finishedAt: "", durationMs: 1 },
} as const;

test("fields of a result survive the conversion to an outcome and back; omitted large ones are listed", async () => {
  const files = [
    { name: "a.json", content: "{}", content_type: "application/json" },
    { name: "b.bin", content_base64: "AP8=" },
    { name: "large.txt", content: "x".repeat(5 * 1024 * 1024) },
  ];
  const result = { exit_code: 0, final_message: "Done.", artifacts: { files } };
  const outcome = toTaskOutcome({ ...REPORT, status: "completed", result }, "task-1");
  expect(outcome.artifacts).toMatchObject([
    { name: "a.json", kind: "file", mime: "application/json", content: "{}" },
    { name: "b.bin", kind: "file", content_base64: "AP8=" },
  ]);
  expect(outcome.diagnostics).toMatchObject([
    { class: "agent_task.artifact_refused", message: expect.stringContaining("large.txt was left out") },
  ]);
  const back = await runSession({
    runtime: "liar",
    config: { outcome: { summary: "Done.", artifacts: outcome.artifacts } },
  });
  expect(back.result?.artifacts?.files).toEqual([
    { name: "a.json", content: "{}" },
    { name: "b.bin", content_base64: "AP8=" },
  ]);
});

test("an engine that exceeded its own time limit is reported as timed out [runtime-outcome-7]", () => {
  const error = { code: "transport.timeout", class: "timeout", message: "Late.", remedy: "", retryable: true } as const;
  const outcome = toTaskOutcome({ ...REPORT, status: "error", error }, "t");
  expect(outcome).toMatchObject({ status: "provider_error", failure_classification: "timeout" });
  expect(outcome.diagnostics).toMatchObject([{ class: "agent_task.timeout", message: "Late." }]);
});

test.each([
  ["completed", "succeeded", undefined],
  ["failed", "failed", "execution_failed"],
  ["interrupted", "cancelled", "unknown"],
  ["timed_out", "timeout", "timeout"],
  ["error", "provider_error", "execution_failed"],
] as const)("a run with status %s has an outcome with status %s", (status, expected, classification) => {
  const outcome = toTaskOutcome({ ...REPORT, status }, "t");
  expect([outcome.status, outcome.failure_classification]).toEqual([expected, classification]);
});
