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

test("a task that failed is a result with exit code 1, kept", async () => {
  const { error, result } = await runSession({
    runtime: "liar",
    config: { outcome: { status: "failed", summary: "No." } },
  });
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ exit_code: 1, final_message: "No." });
});

test("where the provider gives no outcome the run fails, and the board says what is known", async () => {
  const { error, result } = await runSession({ runtime: "liar", config: { exit: 7 } });
  expect(error).toMatchObject({ code: "runtime.command_failed" });
  expect(result).toMatchObject({ exit_code: 1, stderr: expect.stringContaining("agent_task.provider_nonzero_exit") });
});

test("the time of the session is the task's, and its end is a timeout", async () => {
  const { error } = await runSession({ runtime: "liar", config: { hangs: true }, input: { timeout_seconds: 0.7 } });
  expect(error).toMatchObject({ code: "runtime.timeout", details: { timeoutMs: 700 } });
});

test("a cancelled run ends its command and is classified as cancelled", async () => {
  const signal = AbortSignal.timeout(800);
  const { error } = await runSession({ runtime: "liar", config: { hangs: true }, signal });
  expect(error).toMatchObject({ name: "EngineError" });
  expect(error).toHaveProperty("class", expect.stringMatching(/aborted|timeout/u));
});

test("a conversation goes through a task and back unchanged", () => {
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

test.each([
  ["completed", "succeeded", undefined],
  ["failed", "failed", "execution_failed"],
  ["interrupted", "cancelled", "unknown"],
  ["timed_out", "timeout", "timeout"],
  ["error", "provider_error", "execution_failed"],
] as const)("a run that is %s is an outcome that is %s", (status, expected, classification) => {
  const timing = { startedAt: "", finishedAt: "", durationMs: 1 };
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const outcome = toTaskOutcome({ runId: "r", engine: "agent", status, artifacts: [], usage, timing }, "t");
  expect([outcome.status, outcome.failure_classification]).toEqual([expected, classification]);
});
