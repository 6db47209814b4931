import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEPENDENCY, type ExecutionEnvironment, isExecutionEnvironment, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import { createMemoryStore } from "@switchyard/stores/memory";
import { expect, test } from "vitest";
import { resumeSession, runSession, type StartSessionOptions } from "../src/index.ts";
import { countingEngine, mishap } from "./counting-engine.ts";
import { type TemporaryWorkspace, task, temporaryWorkspace } from "./temporary-session.ts";

function working(work: (environment: ExecutionEnvironment) => Promise<unknown>) {
  return defineEngine(async (run, _host, board) => {
    const environment = run.deps.get(DEPENDENCY.environment);
    if (!isExecutionEnvironment(environment)) throw new Error("there is no environment");
    await work(environment);
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
}

function inMemory({ root }: TemporaryWorkspace) {
  return { type: "memory", workspace: root, hostEnv: process.env } as const;
}

test("a copy in memory is changed, the folder is not, and its changes can be applied to the folder", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("changed.txt", "one\ntwo\n");
  workspace.write("removed.txt", "removed\n");
  workspace.write("sub/ü kept.txt", "kept\n");
  workspace.write(".gitignore", "ignored.txt\n");
  workspace.write("ignored.txt", "not copied\n");
  const engine = working(async (environment) => {
    expect(await environment.exists("ignored.txt")).toBe(false);
    await environment.writeFile("changed.txt", "one\n2\n");
    await environment.writeFile("data.bin", new Uint8Array([0, 255, 0, 10]));
    await environment.remove("removed.txt");
    await environment.writeFile(".gitignore", "ignored.txt\nsub\n");
  });
  const environment = inMemory(workspace);
  const report = await runSession(task(), workspace.options({ engine, environment, workspaceDiff: true }));
  expect(report).toMatchObject({ status: "completed", environment: "memory" });
  expect(report.warnings).toBeUndefined();
  expect(report.workspaceDiff).toContain("--- a/changed.txt\n+++ b/changed.txt\n");
  expect(report.workspaceDiff).not.toContain("kept");
  expect(readFileSync(join(workspace.root, "changed.txt"), "utf8")).toBe("one\ntwo\n");

  expect(report.workspacePatch).toBe(join(report.runFolder ?? "", "changes.patch"));
  execFileSync("git", ["apply", report.workspacePatch ?? ""], { cwd: workspace.root });
  expect(readFileSync(join(workspace.root, "changed.txt"), "utf8")).toBe("one\n2\n");
  expect(readFileSync(join(workspace.root, "data.bin"))).toEqual(Buffer.from([0, 255, 0, 10]));
  expect(existsSync(join(workspace.root, "removed.txt"))).toBe(false);
  expect(existsSync(join(workspace.root, "sub/ü kept.txt"))).toBe(true);
});

test("an unchanged temporary workspace has an empty diff and no patch", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  const engine = working(async () => {});
  const environment = inMemory(workspace);
  const report = await runSession(task(), workspace.options({ engine, environment, workspaceDiff: true }));
  expect(report).toMatchObject({ status: "completed", workspaceDiff: "" });
  expect(report).not.toHaveProperty("workspacePatch");
});

/** Runs a session that fails, in a separate store. */
async function failedIn(workspace: TemporaryWorkspace, environment: StartSessionOptions["environment"]) {
  const store = createMemoryStore({ directory: join(workspace.root, "../runs") });
  const engine = countingEngine({
    before: (step) => {
      if (step === 2) throw mishap();
    },
  });
  const { runId } = await runSession(task(), workspace.options({ engine, engineName: "counter", store, environment }));
  expect((await store.show(runId)).record?.environment).toBe("name" in environment ? environment.name : "memory");
  return { runId, store };
}

test("a run whose files are gone is not resumed, and does not change", async () => {
  using workspace = temporaryWorkspace();
  const { runId, store } = await failedIn(workspace, inMemory(workspace));
  const options = workspace.options({
    engine: countingEngine(),
    engineName: "counter",
    environment: inMemory(workspace),
  });
  await expect(resumeSession(runId, { ...options, store })).rejects.toMatchObject({
    code: "run.not_resumable",
    details: { problem: "its files were temporary and are gone" },
  });
  expect((await store.show(runId)).record).toMatchObject({ status: "error", attempt: 1 });
});

test("a run continues in the environment that it is given again, and in no other unless that one was moved", async () => {
  using workspace = temporaryWorkspace();
  await using memory = createMemoryEnvironment();
  const { runId, store } = await failedIn(workspace, memory);
  const local = workspace.options({ engine: countingEngine(), engineName: "counter" });
  await expect(resumeSession(runId, { ...local, store })).rejects.toMatchObject({
    code: "run.not_resumable",
    details: { problem: "it runs in memory, not in local" },
  });
  const same = await resumeSession(runId, { ...local, store, environment: memory });
  expect((await same.result).status).toBe("completed");

  const other = await failedIn(workspace, memory);
  const moved = await resumeSession(other.runId, { ...local, store: other.store, isMoved: true });
  expect(await moved.result).toMatchObject({ status: "completed", environment: "local" });
  expect((await other.store.show(other.runId)).record?.environment).toBe("local");
});
