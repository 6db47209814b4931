import { readdir, writeFile } from "node:fs/promises";
import { DEPENDENCY, SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { openConfinedEnvironment, openLocalEnvironment } from "@switchyard/environment/local";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  type ConfineFolder,
  createRuntimeEngine,
  createRuntimeRegistry,
  type ExecutorProvider,
  pushCredentials,
} from "../../src/index.ts";
import { confinementProblem, git, makeFolder, makeRepository } from "./make-task.ts";

const UNREADY = await confinementProblem();

interface Trial {
  readonly scope?: NonNullable<ExecutorProvider["workspace_materialization"]>;
  readonly allowGitPush?: boolean;
}

/** Runs a session with an engine from a runtime package whose command is the given shell command line. */
async function runSession(root: string, does: string, more: Trial = {}) {
  const folder = await makeFolder();
  const home = await makeFolder();
  const outcome = { schema: "homeboy/agent-task-outcome/v1", task_id: "run-1", status: "succeeded", summary: "done" };
  await writeFile(`${folder}/task.sh`, `cat > /dev/null\n${does}\necho '${JSON.stringify(outcome)}'\n`);
  const command = "bash {{runtime_path}}/task.sh";
  const agent_task_executors = [
    {
      id: "sh.one",
      backend: "sh",
      command,
      ...(more.scope === undefined ? {} : { workspace_materialization: more.scope }),
    },
  ];
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "sh", agent_task_executors };
  const found = { id: "sh", folder, origin: "user", manifest, document: manifest, warnings: [] } as const;
  const confineFolder: ConfineFolder = (path, { writes, readOnly, hidesPushCredentials }) =>
    openConfinedEnvironment({
      ...{ root: path, env: { ...process.env, HOME: home }, writes, readOnly },
      hidden: hidesPushCredentials ? pushCredentials(home) : [],
    });
  const engine = createRuntimeEngine({
    ...{ selected: createRuntimeRegistry([found]).select({ backend: "sh" }), confineFolder },
    ...{ openFolder: (path: string) => openLocalEnvironment({ root: path, env: process.env }) },
    allowGitPush: more.allowGitPush,
  });
  await using environment = await openLocalEnvironment({ root, env: process.env });
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "Do it." }] });
  const deps = createDependencies([[DEPENDENCY.environment, environment]]);
  const run = { id: "run-1", attributes: {}, deps, signal: new AbortController().signal };
  await engine.execute(run, recordingHost(), board);
  return board.get(SESSION_RESULT);
}

test("commands of a session's engine are confined to its write scope [runtime-workspace-3]", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const root = await makeFolder();
  const scope = { write_scope: "artifacts", artifact_paths: ["out"] };
  const result = await runSession(root, "(echo x > new) 2> /dev/null; echo r > out/r", { scope });
  expect(result).toMatchObject({ exit_code: 0, final_message: "done" });
  expect(await readdir(root, { recursive: true })).toEqual(["out", "out/r"]);
});

test("commands of a session's engine push only if the host allows it", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const root = await makeRepository({ "a.txt": "one\n" });
  const remote = await makeFolder();
  await git(remote, "init", "--quiet", "--bare", "--initial-branch=main");
  await git(root, "remote", "add", "origin", remote);
  const does = "git push -q origin main 2> /dev/null; env -i PATH=$PATH git push -q origin main 2> /dev/null; :";
  await runSession(root, does);
  expect(await git(remote, "branch", "--list")).toBe("");
  await runSession(root, does, { allowGitPush: true });
  expect(await git(remote, "branch", "--list")).toContain("main");
});
