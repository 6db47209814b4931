import { EngineError } from "@switchyard/contracts";
import { sessionMasker, startSession } from "@switchyard/runner";
import {
  parseTaskRequest,
  refusedOutcome,
  SEAT_VARIABLE,
  type TaskOutcome,
  toSessionInput,
  toTaskOutcome,
} from "@switchyard/runtimes";
import { isEngineFile } from "@switchyard/settings";
import { type BudgetOptions, budgetOfUser } from "../budget/open-budgets.ts";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
import { openEngine } from "../engine/open-engine.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import { readJson } from "../input/read-json.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { openBrokerStore } from "../store/open-run-store.ts";

/** Options of the command `runtimes exec`. */
export interface ExecTaskOptions extends BudgetOptions {
  /** Name of the engine, or path of an engine configuration file. */
  engine: string;
  /** Model for task requests that name no model. */
  model?: string;
  /** Base URL of the model's API. */
  baseUrl?: string;
  /** Whether the engine calls models directly instead of through the model gateway. Default: false. */
  direct?: boolean;
}

/**
 * Reads a task request from standard input, executes it with an engine and prints the outcome. Resolves with exit code
 * 0 if an outcome was printed. Rejects with `input.malformed` and `runtime.request_invalid` if no outcome can be
 * printed. See agent-runtime-package: provider command contract.
 */
export async function execTask(context: CommandContext, options: ExecTaskOptions): Promise<number> {
  const data = await readJson(context, "-");
  const taskId = typeof data === "object" && data !== null && "task_id" in data ? data.task_id : undefined;
  if (typeof taskId !== "string" || taskId === "") {
    throw new EngineError("runtime.request_invalid", { problem: "task_id is required" });
  }
  const outcome = await outcomeOf(context, { ...options, data, taskId });
  context.stdout.write(`${JSON.stringify(outcome)}\n`);
  return 0;
}

/** Interval between messages while a task waits for its budget, in milliseconds. */
const HEARTBEAT_MS = 10_000;

interface Task extends ExecTaskOptions {
  readonly data: unknown;
  readonly taskId: string;
}

async function outcomeOf(context: CommandContext, task: Task): Promise<TaskOutcome> {
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => stop.abort());
  try {
    return await runTask(context, task, stop.signal);
  } catch (thrown) {
    return refusedOutcome(thrown, { taskId: task.taskId, provider: `switchyard.${task.engine}` });
  } finally {
    ignore();
  }
}

async function runTask(context: CommandContext, task: Task, signal: AbortSignal): Promise<TaskOutcome> {
  const request = parseTaskRequest(task.data);
  const input = toSessionInput(request);
  const model = input.model ?? task.model;
  const state = stateDirectory(context, task.state);
  const requester = { command: "runtimes exec", isWorkspaceGiven: true, stateDirectory: state };
  const environment = toEnvironmentConfig(context, { workspace: input.workspace }, requester);
  const file = isEngineFile(task.engine) ? await readEngineFile(context, task.engine) : undefined;
  const { engine, baseUrl, direct } = task;
  const opened = await openEngine(context, { engine, baseUrl, direct, model, engineDocument: file?.document });
  // The host must notice if an agent receives the API key because the gateway cannot be used.
  if (opened.modelAccess !== undefined) context.stderr.write(`model access: ${opened.modelAccess}\n`);
  const folders = input.workspace === undefined ? [] : [input.workspace];
  // The tasks of a fan-out wait for each other instead of failing at the limit of concurrent runs.
  const seat = context.env[SEAT_VARIABLE];
  const shared = await budgetOfUser(context, task, { folders, waits: true, seat });
  const store = await openBrokerStore(context, task);
  // The process that waits for the outcome ends a command that prints nothing.
  const heartbeat = setInterval(() => context.stderr.write("."), HEARTBEAT_MS);
  const options = { ...opened, ...shared, environment, store, stateDirectory: state, signal };
  const session = await startSession(input, options).finally(() => clearInterval(heartbeat));
  context.progress.hasStarted = true;
  context.progress.keptAt = `The result is stored. Print it with \`switchyard runs show ${session.runId} --json\`.`;
  // The progress output also serves as a heartbeat for the process that waits for the outcome.
  for await (const { type } of session.events())
    context.stderr.write(type === "assistant_text_delta" ? "." : `${type}\n`);
  return sessionMasker(opened).maskData(toTaskOutcome(await session.result, task.taskId));
}
