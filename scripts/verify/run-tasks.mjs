// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { turboCommand } from "../turbo-command.mjs";

/**
 * How one turbo task ended. `blocked`: it never started, because a task it needs failed.
 * @typedef {{ id: string, task: string, state: "passed" | "failed" | "blocked", cached: boolean,
 *   startMs: number, endMs: number, lines: string[] }} TaskRun
 */

/**
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, noCache: boolean, onStart: (id: string) => void }} RunOptions
 */

/**
 * Runs turbo tasks side by side, every one to its end whatever happens to the others.
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {Promise<TaskRun[]>}
 */
export async function runTasks(tasks, options) {
  const planned = planTasks(tasks, options);
  const { output, summaryFile, stray } = await runTurbo(tasks, options);
  if (summaryFile === undefined) throw new Error(`turbo did not run:\n${stray.join("\n")}`);
  const summary = JSON.parse(readFileSync(summaryFile, "utf8"));
  rmSync(summaryFile);
  /** @type {Map<string, any>} */
  const executed = new Map(summary.tasks.map((/** @type {{ taskId: string }} */ task) => [task.taskId, task]));
  return planned.map(({ taskId, task }) => {
    const lines = output.get(taskId) ?? [];
    const run = executed.get(taskId);
    if (run?.execution === undefined) {
      return { id: taskId, task, state: "blocked", cached: false, startMs: 0, endMs: 0, lines };
    }
    const { exitCode, startTime, endTime } = run.execution;
    const state = exitCode === 0 ? "passed" : "failed";
    return { id: taskId, task, state, cached: run.cache.status === "HIT", startMs: startTime, endMs: endTime, lines };
  });
}

/**
 * The tasks that have a command, as turbo would run them.
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {{ taskId: string, task: string, command: string }[]}
 */
function planTasks(tasks, { root, env }) {
  const [command, ...args] = turboCommand(root, ["run", ...tasks, "--dry=json"]);
  const plan = spawnSync(command, args, { cwd: root, env, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (plan.status !== 0) throw new Error(`turbo cannot plan the checks:\n${plan.stderr}${plan.stdout}`);
  /** @type {{ taskId: string, task: string, command: string }[]} */
  const planned = JSON.parse(plan.stdout).tasks;
  return planned.filter((task) => task.command !== "<NONEXISTENT>");
}

/**
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {Promise<{ output: Map<string, string[]>, summaryFile: string | undefined, stray: string[] }>}
 */
async function runTurbo(tasks, { root, env, noCache, onStart }) {
  const flags = ["--json", "--summarize", "--continue=dependencies-successful", "--concurrency=100%"];
  const [command, ...args] = turboCommand(root, ["run", ...tasks, ...flags, ...(noCache ? ["--force"] : [])]);
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  /** @type {Map<string, string[]>} */
  const output = new Map();
  /** @type {string[]} */
  const stray = [];
  child.stderr.setEncoding("utf8").on("data", (text) => stray.push(text));
  for await (const line of createInterface({ input: child.stdout })) {
    const { source, text } = parseLine(line);
    if (source === "turbo") stray.push(text);
    else output.set(source, [...(output.get(source) ?? []), text]);
    if (text.startsWith("cache miss, executing") || text.startsWith("cache bypass")) onStart(source);
  }
  const summaryFile = stray
    .findLast((line) => line.startsWith("Summary:"))
    ?.slice("Summary:".length)
    .trim();
  return { output, summaryFile, stray };
}

/**
 * @param {string} line
 * @returns {{ source: string, text: string }}
 */
function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { source: "turbo", text: line };
  }
}
