// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/**
 * Result of a turbo task. `blocked`: not started, because a dependency failed.
 * @typedef {{ id: string, task: string, state: "passed" | "failed" | "blocked", cached: boolean,
 * startMs: number, endMs: number, lines: string[] }} TaskRun
 */

/**
 * `turbo` returns the command line of a turbo call. `onStart` is called for every task that is not cached.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, turbo: (args: readonly string[]) => [string, ...string[]],
 * noCache: boolean, onStart: (id: string) => void }} RunOptions
 */

/**
 * Runs turbo tasks concurrently, each to completion regardless of the others.
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {Promise<TaskRun[]>}
 */
export async function runTasks(tasks, options) {
  const planned = planTasks(tasks, options);
  const { summaryFile, messages } = await runTurbo(tasks, options);
  if (summaryFile === undefined) throw new Error(`turbo did not run:\n${messages.join("\n")}`);
  const summary = JSON.parse(readFileSync(summaryFile, "utf8"));
  rmSync(summaryFile);
  /** @type {Map<string, any>} */
  const executed = new Map(summary.tasks.map((/** @type {{ taskId: string }} */ task) => [task.taskId, task]));
  return planned.map(({ taskId, task }) => {
    const run = executed.get(taskId);
    if (run?.execution === undefined) {
      return { id: taskId, task, state: "blocked", cached: false, startMs: 0, endMs: 0, lines: [] };
    }
    const { exitCode, startTime, endTime } = run.execution;
    return {
      id: taskId,
      task,
      state: exitCode === 0 ? "passed" : "failed",
      cached: run.cache.status === "HIT",
      startMs: startTime,
      endMs: endTime,
      lines: readLog(resolve(options.root, run.logFile)),
    };
  });
}

/**
 * Returns the output of a task, current or cached.
 * @param {string} file
 * @returns {string[]}
 */
function readLog(file) {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

/**
 * Returns the tasks that have a command, as turbo would run them.
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {{ taskId: string, task: string, command: string }[]}
 */
function planTasks(tasks, { root, env, turbo }) {
  const [command, ...args] = turbo(["run", ...tasks, "--dry=json"]);
  const plan = spawnSync(command, args, { cwd: root, env, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (plan.status !== 0) throw new Error(`turbo cannot plan the checks:\n${plan.stderr}${plan.stdout}`);
  /** @type {{ taskId: string, task: string, command: string }[]} */
  const planned = JSON.parse(plan.stdout).tasks;
  return planned.filter((task) => task.command !== "<NONEXISTENT>");
}

/**
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {Promise<{ summaryFile: string | undefined, messages: string[] }>}
 */
async function runTurbo(tasks, { root, env, turbo, noCache, onStart }) {
  // One task more than processors, because tests often wait for processes, sockets and containers.
  const concurrency = availableParallelism() + 1;
  const flags = ["--json", "--summarize", "--continue=dependencies-successful", `--concurrency=${concurrency}`];
  const [command, ...args] = turbo(["run", ...tasks, ...flags, ...(noCache ? ["--force"] : [])]);
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  /** @type {string[]} */
  const messages = [];
  child.stderr.setEncoding("utf8").on("data", (text) => messages.push(text));
  for await (const line of createInterface({ input: child.stdout })) {
    const { source, text } = parseLine(line);
    if (source === "turbo") messages.push(text);
    else if (text.startsWith("cache miss, executing") || text.startsWith("cache bypass")) onStart(source);
  }
  const summaryFile = messages.findLast((message) => message.startsWith("Summary:"));
  return { summaryFile: summaryFile?.slice("Summary:".length).trim(), messages };
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
