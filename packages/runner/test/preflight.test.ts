import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { EngineError, SESSION_RESULT } from "@switchyard/contracts";
import { createEngineRegistry, defineEngine } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { queueSession, runSession, type StartSessionOptions, startSession } from "../src/index.ts";
import { task, temporaryWorkspace } from "./temporary-session.ts";

const working = defineEngine(async (_run, _host, board) => {
  board.set(SESSION_RESULT, { exit_code: 0, final_message: "ok" });
});

async function refusal(input: ReturnType<typeof task>, options: StartSessionOptions): Promise<string | undefined> {
  const error: unknown = await startSession(input, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return EngineError.is(error) ? error.code : undefined;
}

test("invalid requirements are refused before anything is created: workspace, engine, dependency, user", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("file.txt", "x");
  const { options, root, stateDirectory } = workspace;
  const local = (path: string) => ({ type: "local", root: join(root, path) }) as const;
  const registry = createEngineRegistry({ a: working });
  const needy = defineEngine(undefined, { requiredDependencies: ["llm.client"] });
  const asking = defineEngine(undefined, { emitsUserPrompt: true });

  expect(await refusal(task(), options({ engine: working, environment: local("absent") }))).toBe("workspace.not_found");
  expect(await refusal(task(), options({ engine: working, environment: local("file.txt") }))).toBe(
    "workspace.not_a_directory",
  );
  expect(await refusal(task(), options({ engine: "b", registry }))).toBe("engine.not_found");
  expect(await refusal(task(), options({ engine: "a" }))).toBe("engine.not_found");
  expect(await refusal(task(), options({ engine: needy }))).toBe("engine.missing_dependency");
  expect(await refusal(task(), options({ engine: asking }))).toBe("engine.needs_user");
  expect(existsSync(stateDirectory)).toBe(false);

  expect(await refusal(task(), options({ engine: asking, isAnswerable: true }))).toBeUndefined();
  expect(await refusal(task(), options({ engine: "a", registry }))).toBeUndefined();
});

test("options without engine, environment or state folder are refused by name, also without a compiler", async () => {
  using workspace = temporaryWorkspace();
  const given = workspace.options({ engine: working });
  for (const field of ["engine", "environment", "stateDirectory"]) {
    const lacking: StartSessionOptions = Object.assign({ ...given }, { [field]: undefined });
    await expect(startSession(task(), lacking)).rejects.toMatchObject({ code: "config.invalid", details: { field } });
  }
  expect(existsSync(workspace.stateDirectory)).toBe(false);
});

test("a budget without any limit is refused by its field before anything is created", async () => {
  using workspace = temporaryWorkspace();
  for (const [field, budget] of [
    ["budget.totalTokens", { totalTokens: Number("20k") }],
    ["budget.costMicros", { costMicros: -1 }],
    ["budget.modelCalls", JSON.parse('{"modelCalls":"5"}')],
    ["budget.tokens", JSON.parse('{"tokens":5}')],
    ["budget", JSON.parse("5")],
  ] as const) {
    const limited = workspace.options({ engine: working, budget });
    const refused = { code: "config.invalid", details: { field } };
    await expect(startSession(task(), limited)).rejects.toMatchObject(refused);
    await expect(queueSession(task(), limited)).rejects.toMatchObject(refused);
  }
  expect(existsSync(workspace.stateDirectory)).toBe(false);
});

test("a workspace that vanished from an open environment is refused", async () => {
  using workspace = temporaryWorkspace();
  const folder = join(workspace.root, "inner");
  mkdirSync(folder);
  await using environment = await openLocalEnvironment({ root: folder });
  await environment.exec(["rmdir", folder]);
  expect(await refusal(task(), workspace.options({ engine: working, environment }))).toBe("workspace.not_found");
});

test("an input without a user's message, or of the wrong form, is refused with its field", async () => {
  using workspace = temporaryWorkspace();
  const options = workspace.options({ engine: working });
  const broken: unknown = { messages: [{ role: "robot", content: "x" }] };
  expect(await refusal({ messages: [] }, options)).toBe("input.invalid");
  expect(await refusal({ messages: [{ role: "assistant", content: "x" }] }, options)).toBe("input.invalid");
  await expect(Reflect.apply(startSession, undefined, [broken, options])).rejects.toThrow("messages[0].role");
});

test("fields set to undefined count as missing", async () => {
  using workspace = temporaryWorkspace();
  const input = task("x", { model: undefined, kwargs: undefined, timeout_seconds: undefined });
  const report = await runSession(input, workspace.options({ engine: working, runId: undefined, signal: undefined }));
  expect(report.status).toBe("completed");
});

test("run ids with invalid characters are refused, and so is an existing run id", async () => {
  using workspace = temporaryWorkspace();
  for (const runId of ["", "a/b", "..", "a.b", "a*", "a b", "a\u0000", "ä", "x".repeat(129)]) {
    expect(await refusal(task(), workspace.options({ engine: working, runId }))).toBe("run.invalid_id");
  }
  expect(existsSync(workspace.stateDirectory)).toBe(false);
  const first = await runSession(task(), workspace.options({ engine: working, runId: "Run_1-a" }));
  expect(first.runId).toBe("Run_1-a");
  expect(await refusal(task(), workspace.options({ engine: working, runId: "Run_1-a" }))).toBe("run.conflict");
  const again = await openFileStore({ directory: workspace.stateDirectory }).show("Run_1-a");
  expect(again.report).toEqual(first);
});

test("of many starts with one id exactly one is accepted", async () => {
  using workspace = temporaryWorkspace();
  const starts = Array.from({ length: 8 }, () =>
    refusal(task(), workspace.options({ engine: working, runId: "same" })),
  );
  const outcomes = await Promise.all(starts);
  expect(outcomes.filter((code) => code === undefined)).toHaveLength(1);
  expect(outcomes.filter((code) => code === "run.conflict")).toHaveLength(7);
});

test("a state folder that cannot be written to is an error that names it, and no run is created", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("file", "x");
  const stateDirectory = join(workspace.root, "file");
  const start = startSession(task(), workspace.options({ engine: working, stateDirectory }));
  await expect(start).rejects.toMatchObject({ code: "run.store_failed" });
  expect(readdirSync(workspace.root)).toEqual(["file"]);
});
