import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import type { SessionReport } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { findEarlierRun, withHistory } from "../history/earlier-run.ts";
import { findRun } from "../runs/open-runs.ts";
import { standingOf } from "../runs/run-standing.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { performTask } from "../task/perform-task.ts";
import { limitsOf, type TaskOptions } from "../task/task-options.ts";
import { readDiff } from "../text/diff-summary.ts";
import { describeCall } from "../views/describe-call.ts";
import type { World } from "../world/world.ts";

const TEXT = { type: "string" as const };

/** The tools, as they are listed. */
export const RUN_TOOLS: readonly Tool[] = [
  {
    name: "run_task",
    title: "Run a coding task",
    description:
      "Let a coding agent work on a task in a folder until it is done. Takes minutes. Returns its last words, what it changed, and the id of the run.",
    inputSchema: {
      type: "object" as const,
      properties: {
        prompt: { ...TEXT, description: "The task, with all the agent needs to know." },
        workspace: { ...TEXT, description: "Folder to work in, below the one that is served; that one by default." },
        plan: { type: "boolean", description: "Only look, and answer with a plan." },
        continue_run: { ...TEXT, description: "Id of an earlier run whose conversation is gone on with." },
      },
      required: ["prompt"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  {
    name: "list_runs",
    title: "List runs",
    description: "List the newest runs with their state and task.",
    inputSchema: { type: "object" as const, properties: { limit: { type: "integer", minimum: 1, maximum: 100 } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: "show_run",
    title: "Show a run",
    description: "Show how a run ended, what it said and what it changed.",
    inputSchema: { type: "object" as const, properties: { run_id: TEXT }, required: ["run_id"] },
    annotations: { readOnlyHint: true },
  },
];

/** A call of one of the tools. */
export interface RunToolCall {
  /** Name of the tool. */
  readonly name: string;
  /** Its arguments, as the client sent them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Interrupts what it does. */
  readonly signal: AbortSignal;
  /** Told what it does. */
  readonly onProgress: (message: string) => Promise<void>;
}

interface ToolResult {
  [key: string]: unknown;
  readonly content: { type: "text"; text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: boolean;
}

/** Does what a call asks for. Rejects with what kept it from that. */
export async function callRunTool(world: World, options: TaskOptions, call: RunToolCall): Promise<ToolResult> {
  switch (call.name) {
    case "run_task":
      return runTask(world, options, call);
    case "list_runs":
      return listRuns(world, options, call.args);
    case "show_run":
      return showRun(world, options, call.args);
    default:
      throw invalid("name", `there is no tool ${call.name}`);
  }
}

async function runTask(
  world: World,
  options: TaskOptions,
  { args, signal, onProgress }: RunToolCall,
): Promise<ToolResult> {
  const prompt = textIn(args, "prompt");
  if (prompt === undefined || prompt.trim() === "") throw invalid("prompt", "it is missing");
  const workspace = await workspaceOf(world, options, textIn(args, "workspace"));
  const from = textIn(args, "continue_run");
  const state = options.state === undefined ? {} : { state: options.state };
  const earlier = from === undefined ? undefined : await findEarlierRun(world, { ...state, from });
  const asked = { messages: [{ role: "user" as const, content: prompt }], workspace, ...limitsOf(options, world.env) };
  const { approve, workspace: _, ...others } = options;
  // What a client asks for can only be less than what the server was started with.
  const permissions = args["plan"] === true ? { mode: "plan" as const } : approve === undefined ? {} : { approve };
  const report = await performTask(
    world,
    { ...others, ...permissions, prompt },
    {
      ...{ input: withHistory(asked, earlier), signal, command: "mcp" },
      onEvent: async (envelope) => {
        if (envelope.type !== "tool_call_start") return;
        await onProgress(describeCall(envelope.payload.name, envelope.payload.arguments));
      },
    },
  );
  return toResult(report);
}

/** Links are followed first: a folder below must be below. */
async function workspaceOf(world: World, options: TaskOptions, asked: string | undefined): Promise<string> {
  const root = await realPath(resolve(world.workingDirectory, options.workspace ?? "."));
  const path = await realPath(resolve(root, asked ?? "."));
  const below = relative(root, path);
  if (below === ".." || below.startsWith(`..${sep}`) || resolve(root, below) !== path) {
    throw invalid("workspace", `${path} is not below ${root}`);
  }
  return path;
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path }, { cause });
  });
}

function toResult(report: SessionReport): ToolResult {
  const { runId, status, result, error, workspaceDiff } = report;
  const changes = readDiff(workspaceDiff ?? "");
  const message = result?.final_message ?? "";
  const failure = error === undefined ? [] : [error.message, error.remedy];
  const changed = changes.map(({ path, added, removed }) => `${path} +${added} -${removed}`);
  const text = [
    `Run ${runId}: ${status}`,
    message,
    ...failure,
    ...(changed.length === 0 ? [] : ["Changes:", ...changed]),
  ];
  return {
    content: [{ type: "text", text: text.filter((line) => line !== "").join("\n") }],
    structuredContent: {
      ...{ run_id: runId, status, final_message: message, changes },
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    },
    isError: status !== "completed",
  };
}

async function listRuns(world: World, options: TaskOptions, args: RunToolCall["args"]): Promise<ToolResult> {
  const limit = typeof args["limit"] === "number" ? args["limit"] : 20;
  const listed = (await (await openRunStore(world, options)).list()).slice(0, limit);
  const runs = listed.flatMap((run) => {
    if ("problem" in run) return [];
    const { run_id, title, created_at } = run.record;
    return [{ run_id, status: standingOf(run.record, run.lease).status, title, created_at }];
  });
  const lines = runs.map(({ run_id, status, title }) => `${run_id} ${status}: ${title}`);
  const text = lines.length === 0 ? "There are no runs." : lines.join("\n");
  return { content: [{ type: "text", text }], structuredContent: { runs } };
}

async function showRun(world: World, options: TaskOptions, args: RunToolCall["args"]): Promise<ToolResult> {
  const id = textIn(args, "run_id") ?? "";
  const state = options.state === undefined ? {} : { state: options.state };
  const run = await findRun(world, await openRunStore(world, options), { id, ...state, command: "mcp" });
  if (run.report !== undefined) return { ...toResult(run.report), isError: false };
  const status = run.record === undefined ? "damaged" : standingOf(run.record, run.lease).status;
  return {
    content: [{ type: "text", text: `Run ${run.runId}: ${status}` }],
    structuredContent: { run_id: run.runId, status },
  };
}

function textIn(args: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || typeof value === "string") return value;
  throw invalid(name, "it is no text");
}

function invalid(name: string, problem: string): EngineError {
  return new EngineError("input.invalid", { path: name, expected: "argument", problem });
}
