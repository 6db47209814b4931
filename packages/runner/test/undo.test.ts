import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEPENDENCY, type Engine, isExecutionEnvironment, SESSION_RESULT, type StoredRun } from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { readUndoneAt, run, type UndoRunOptions, undoRun } from "../src/index.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "./temporary-session.ts";

/** Engine that changes one file and creates another. */
const editor: Engine = defineEngine(async ({ deps }, _host, board) => {
  const environment = getDependency(deps, DEPENDENCY.environment, isExecutionEnvironment);
  await environment.writeFile("notes.txt", "two\n");
  await environment.writeFile("new.txt", "new\n");
  board.set(SESSION_RESULT, { exit_code: 0, final_message: "Changed." });
});

async function changeFiles(workspace: TemporaryWorkspace): Promise<{ stored: StoredRun; options: UndoRunOptions }> {
  workspace.write("notes.txt", "one\n");
  workspace.git("init", "--quiet");
  workspace.git("add", ".");
  workspace.git("commit", "--quiet", "--message=one");
  const env = { PATH: process.env["PATH"] };
  const stateDirectory = workspace.stateDirectory;
  const { runId } = await run({ engine: editor, environment: workspace.root, prompt: "Change.", env, stateDirectory });
  const stored = await openFileStore({ directory: stateDirectory }).show(runId);
  return { stored, options: { env, stateDirectory, workspace: workspace.root, now: 0 } };
}

test("undoRun restores every file of a stored run and records the time", async () => {
  using workspace = temporaryWorkspace();
  const { stored, options } = await changeFiles(workspace);
  expect(readFileSync(join(workspace.root, "notes.txt"), "utf8")).toBe("two\n");
  const diff = await undoRun(stored, options);
  expect(diff).toContain("+two");
  expect(readFileSync(join(workspace.root, "notes.txt"), "utf8")).toBe("one\n");
  expect(existsSync(join(workspace.root, "new.txt"))).toBe(false);
  expect(await readUndoneAt(stored)).toBe("1970-01-01T00:00:00.000Z");
  await expect(undoRun(stored, options)).rejects.toMatchObject({ code: "run.not_undoable" });
});

test("a dry run changes nothing, and a later change of the same lines is refused", async () => {
  using workspace = temporaryWorkspace();
  const { stored, options } = await changeFiles(workspace);
  await undoRun(stored, { ...options, dryRun: true });
  expect(readFileSync(join(workspace.root, "notes.txt"), "utf8")).toBe("two\n");
  expect(await readUndoneAt(stored)).toBeUndefined();

  workspace.write("notes.txt", "three\n");
  await expect(undoRun(stored, options)).rejects.toMatchObject({ code: "run.not_undoable" });
  expect(readFileSync(join(workspace.root, "notes.txt"), "utf8")).toBe("three\n");
  expect(existsSync(join(workspace.root, "new.txt"))).toBe(true);
});

test("a run whose workspace is elsewhere cannot be undone", async () => {
  using workspace = temporaryWorkspace();
  const { stored, options } = await changeFiles(workspace);
  await expect(undoRun(stored, { ...options, workspace: undefined })).rejects.toMatchObject({
    code: "run.not_undoable",
  });
  expect(readFileSync(join(workspace.root, "notes.txt"), "utf8")).toBe("two\n");
});

test("a refusal names the option with which the undo is possible", async () => {
  using workspace = temporaryWorkspace();
  const { stored, options } = await changeFiles(workspace);
  const { report } = stored;
  if (report === undefined) throw new Error("the run has no report");
  const left = { ...stored, report: { ...report, workspaceLeftOut: [{ path: "big", reason: "too_large" as const }] } };
  await expect(undoRun(left, options)).rejects.toMatchObject({
    ...{ code: "run.not_undoable", details: { option: "partial", problem: expect.not.stringContaining("--") } },
  });
});
