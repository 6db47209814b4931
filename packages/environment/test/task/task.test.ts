import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@switchyard/container-engines";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { PROJECT, REPAIRED, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { COUNTED, createProject, startTaskEngines, type TaskEngines } from "./task-engines.ts";
import type { StartedEnvironment } from "./task-environment.ts";
import { TASK_ENVIRONMENTS } from "./task-environments.ts";

/** Path of the built command, as users run it. */
const COMMAND = join(import.meta.dirname, "../../../../apps/cli/dist/bin.cjs");
const TIMEOUT_MS = 300_000;

declare module "vitest" {
  interface TaskMeta {
    /** Component that an environment was tested with. */
    environmentTask?: { readonly environment: string; readonly component: string; readonly isReal: boolean };
  }
}

let model: ScriptedModel;
let engines: TaskEngines;
let files: string;

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), "sy-engines-"));
  [model, engines] = [await startScriptedModel(), await startTaskEngines(files)];
});

afterAll(async () => {
  await Promise.all([model.stop(), engines.stop()]);
  rmSync(files, { recursive: true, force: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sy-task-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a task with the built command. Resolves with its output. */
async function run({ env, variables }: StartedEnvironment, project: string, args: readonly string[]) {
  const state = makeFolder();
  const command = [process.execPath, COMMAND, "run", "--env", env, "--state", state, "--json", ...args];
  const hostVariables = { PATH: process.env["PATH"] ?? "", HOME: state, ...variables };
  return runProgram(["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", project, ...command], { env: hostVariables });
}

test.for(TASK_ENVIRONMENTS)(
  "the task is solved in $name, and the engines of the README's table run there",
  { timeout: TIMEOUT_MS },
  async (taskEnvironment, { skip, task }) => {
    const { name, component, isReal } = taskEnvironment;
    task.meta.environmentTask = { environment: name, component, isReal };
    const project = join(makeFolder(), "project");
    cpSync(PROJECT, project, { recursive: true });
    createProject(project);
    const started = await taskEnvironment.start(project);
    if (typeof started === "string") return skip(started);
    onTestFinished(async () => started.stop?.());
    const scripted = ["--model", "openai-compatible/scripted", "--base-url", model.baseUrl];
    const { code, stdout, stderr } = await run(started, project, [...scripted, "Make the test pass."]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const report: unknown = JSON.parse(stdout);
    const result = { exit_code: 0, final_message: "The test passes." };
    const environment = started.reportedAs ?? started.env;
    expect(report).toMatchObject({ status: "completed", environment, result });
    for (const { id, args, variables } of engines.runningIn(name)) {
      const target = { ...started, variables: { ...started.variables, ...variables } };
      const counted = await run(target, project, [...args, "Count this."]);
      expect({ id, code: counted.code, stderr: counted.stderr }).toEqual({ id, code: 0, stderr: "" });
      expect(JSON.parse(counted.stdout), id).toMatchObject({
        environment,
        result: { exit_code: 0, final_message: COUNTED },
      });
    }
    if (started.readRepaired !== undefined) return expect(await started.readRepaired()).toBe(REPAIRED);
    // The folder is unchanged; the patch of the run repairs the file.
    expect(readFileSync(join(project, "greet.sh"), "utf8")).not.toBe(REPAIRED);
    const { workspacePatch } = JSON.parse(stdout);
    await runProgram(["git", "-C", project, "apply", workspacePatch]);
    expect(readFileSync(join(project, "greet.sh"), "utf8")).toBe(REPAIRED);
  },
);
