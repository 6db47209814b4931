import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { plural } from "@switchyard/terminal";
import type { EvalCase, EvalSuite } from "../suite/eval-suite.ts";
import { readHarborTask } from "./read-harbor-task.ts";

/** Name of the file with the settings of a task. */
const TASK_FILE = "task.toml";

/**
 * Reads a task in Harbor's format, or a folder of such tasks. `path` is the folder, or the `task.toml` of a single task.
 * Resolves with `undefined` if it is neither. Rejects with `config.invalid_eval`, which lists all problems of all tasks,
 * unsupported fields included.
 */
export async function readHarborSuite(path: string): Promise<EvalSuite | undefined> {
  const folder = basename(path) === TASK_FILE ? dirname(path) : path;
  const tasks = await findTasks(folder);
  if (tasks === undefined) return undefined;
  const problems: string[] = [];
  const warnings = new Map<string, number>();
  const cases: EvalCase[] = [];
  for (const task of tasks) {
    const prefix = task === folder ? "" : `${basename(task)}/`;
    const read = await readHarborTask(task);
    problems.push(...read.problems.map((problem) => `${prefix}${problem}`));
    for (const warning of read.warnings) warnings.set(warning, (warnings.get(warning) ?? 0) + 1);
    if (read.case !== undefined) cases.push(read.case);
  }
  if (tasks.length === 0) problems.push(`the folder has no task: no folder in it has a ${TASK_FILE}`);
  if (problems.length > 0) throw new EngineError("config.invalid_eval", { path, problems: problems.join("\n") });
  return {
    name: basename(folder),
    engines: [{ spec: "agent", field: "engine agent" }],
    variants: [{ files: [], kwargs: {} }],
    cases,
    ...{ iterations: 1, concurrency: 1, retries: 0, budget: {} },
    warnings: [...warnings].map(([warning, count]) => (tasks.length === 1 ? warning : countOf(warning, count))),
  };
}

function countOf(warning: string, tasks: number): string {
  return `${warning} (${plural(tasks, "task")})`;
}

/** Returns the folders of the tasks. `undefined` if the path is not a folder. */
async function findTasks(folder: string): Promise<string[] | undefined> {
  if (!(await isFolder(folder))) return undefined;
  if (await hasTask(folder)) return [folder];
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  const tasks: string[] = [];
  for (const name of names) {
    if (await hasTask(join(folder, name))) tasks.push(join(folder, name));
  }
  return tasks;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function hasTask(folder: string): Promise<boolean> {
  return (await stat(join(folder, TASK_FILE)).catch(() => undefined))?.isFile() === true;
}
