// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/**
 * Result of a turbo task. `blocked`: not started, because a dependency failed.
 * @typedef {{ id: string, task: string, state: "passed" | "failed" | "blocked", cached: boolean,
 * startMs: number, endMs: number, lines: string[] }} TaskRun
 */

/**
 * `turbo` returns the command line of a turbo call. `onStart` is called for every task that is not cached. `longest`
 * contains the ids of the tasks that take minutes, longest first.
 * @typedef {{ root: string, env: NodeJS.ProcessEnv, turbo: (args: readonly string[]) => [string, ...string[]],
 * noCache: boolean, onStart: (id: string) => void, longest: readonly string[] }} RunOptions
 */

/** Number of the longest tasks that run at the same time, in addition to one other task per processor. */
const LONG_AT_ONCE = 3;
/** Priority of the other tasks, as in `os.setPriority`: they get about a third of the processor time of a long task. */
const LOWER_PRIORITY = 5;

/**
 * Runs turbo tasks concurrently, each to completion regardless of the others. Builds run first: turbo starts tasks in
 * the order in which they become ready, so builds would wait for long tests, and the tests of the CLI for the builds.
 * The longest tasks then start before the others have ended. If one of them started last, it would run alone.
 * @param {readonly string[]} tasks
 * @param {RunOptions} options
 * @returns {Promise<TaskRun[]>}
 */
export async function runTasks(tasks, options) {
  const planned = planTasks(tasks, options);
  const builds = planned.filter(({ task }) => task === "build").map(({ taskId }) => taskId);
  /** @type {Map<string, any>} */
  const executed = new Map();
  if (builds.length > 0) await runTurbo(builds, { ...options, executed });
  const areBuilt = builds.every((id) => executed.get(id)?.execution?.exitCode === 0);
  // After a failed build, turbo has to find out which tasks depend on it.
  if (!areBuilt) await runTurbo(tasks, { ...options, executed });
  else
    await runRest(
      planned.map(({ taskId }) => taskId).filter((id) => !builds.includes(id)),
      { ...options, executed },
    );
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
 * Runs tasks whose dependencies have run: the longest beside the others.
 * @param {readonly string[]} ids
 * @param {RunOptions & { executed: Map<string, any> }} options
 * @returns {Promise<void>}
 */
async function runRest(ids, options) {
  const longest = options.longest.filter((id) => ids.includes(id));
  const others = ids.filter((id) => !longest.includes(id));
  const runOthers = async () => {
    // The longest tasks determine when the run ends, so the other tasks give way to them.
    if (others.length > 0) await runTurbo(others, { ...options, isOnly: true, priority: LOWER_PRIORITY });
    // The processors that ran the other tasks run the rest of the longest tasks.
    await runEach(longest, options, availableParallelism());
  };
  await Promise.all([runEach(longest, options, LONG_AT_ONCE), runOthers()]);
}

/**
 * Removes tasks from a queue and runs them in its order, several at a time. Each has a turbo of its own, because turbo
 * chooses the order.
 * @param {string[]} waiting
 * @param {RunOptions & { executed: Map<string, any> }} options
 * @param {number} atOnce
 * @returns {Promise<void>}
 */
async function runEach(waiting, options, atOnce) {
  const runNext = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      await runTurbo([id], { ...options, isOnly: true });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
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
 * Runs tasks with their dependencies, or only the given tasks with `isOnly`, and adds turbo's record of each to
 * `executed`. `priority` is the scheduling priority of all their processes, as in `os.setPriority`.
 * @param {readonly string[]} tasks
 * @param {RunOptions & { executed: Map<string, any>, isOnly?: boolean, priority?: number }} options
 * @returns {Promise<void>}
 */
async function runTurbo(tasks, { root, env, turbo, noCache, onStart, executed, isOnly = false, priority }) {
  const concurrency = availableParallelism();
  const flags = ["--json", "--summarize", "--continue=dependencies-successful", `--concurrency=${concurrency}`];
  if (noCache) flags.push("--force");
  if (isOnly) flags.push("--only");
  const [command, ...args] = turbo(["run", ...tasks, ...flags]);
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  // Processes that the child starts later inherit the priority.
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  /** @type {string[]} */
  const messages = [];
  child.stderr.setEncoding("utf8").on("data", (text) => messages.push(text));
  for await (const line of createInterface({ input: child.stdout })) {
    const { source, text } = parseLine(line);
    if (source === "turbo") messages.push(text);
    else if (text.startsWith("cache miss, executing") || text.startsWith("cache bypass")) onStart(source);
  }
  const summaryFile = messages
    .findLast((message) => message.startsWith("Summary:"))
    ?.slice("Summary:".length)
    .trim();
  if (summaryFile === undefined) throw new Error(`turbo did not run:\n${messages.join("\n")}`);
  const summary = JSON.parse(readFileSync(summaryFile, "utf8"));
  rmSync(summaryFile);
  for (const task of summary.tasks) executed.set(task.taskId, task);
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
