import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openConfinedEnvironment, openLocalEnvironment } from "@switchyard/environment/local";
import { onTestFinished } from "vitest";
import {
  createRuntimeRegistry,
  type ExecuteTaskOptions,
  type ExecutorProvider,
  executeTask,
  type TaskOutcome,
} from "../../src/index.ts";

const run = promisify(execFile);

/** A folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-tasks-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs git in a folder, with a fixed author. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const author = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"];
  return (await run("git", ["-C", folder, ...author, ...args])).stdout.trim();
}

/** A repository with one commit of these files. */
export async function makeRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeFolder();
  await git(folder, "init", "--quiet", "--initial-branch=main");
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message=first");
  return folder;
}

/** Parts of a trial. */
export interface Trial extends Partial<ExecuteTaskOptions> {
  /** Shell code that runs before the outcome is printed. */
  readonly does: string;
  /** What the provider declares. */
  readonly provider?: Partial<ExecutorProvider> | undefined;
  /** Fields of the request. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Executes a task whose command is a shell command line. The task succeeds if the command line does. */
export async function executeShell({ does, provider, request, ...options }: Trial): Promise<TaskOutcome> {
  const folder = await makeFolder();
  const outcome = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", summary: "done" };
  await writeFile(join(folder, "task.sh"), `cat > /dev/null\n${does}\n`);
  await writeFile(join(folder, "outcome.json"), JSON.stringify(outcome));
  const command = "bash {{runtime_path}}/task.sh >&2; cat {{runtime_path}}/outcome.json";
  const agent_task_executors = [{ id: "sh.one", backend: "sh", command, ...provider }];
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "sh", agent_task_executors };
  const found = { id: "sh", folder, origin: "project", manifest, document: manifest, warnings: [] } as const;
  const fields = {
    ...{ schema: "homeboy/agent-task-request/v1", task_id: "task-1", instructions: "Do it." },
    ...{ executor: { backend: "sh" }, ...request },
  };
  return executeTask(fields, {
    selected: createRuntimeRegistry([found]).select({ backend: "sh" }),
    openFolder: (root) => openLocalEnvironment({ root, env: process.env }),
    stateFolder: await makeFolder(),
    ...options,
  });
}

/** Reason why commands cannot be confined on this machine. `undefined` if they can. */
export async function confinementProblem(): Promise<string | undefined> {
  const environment = await openConfinedEnvironment({ root: tmpdir(), env: process.env });
  await environment?.[Symbol.asyncDispose]();
  return environment === undefined ? "bubblewrap is not installed, or cannot create namespaces" : undefined;
}
