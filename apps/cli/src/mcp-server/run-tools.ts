import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import type { SessionReport } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createRunId } from "@switchyard/runner";
import { describeCall, readDiff } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { findEarlierRun, withHistory } from "../history/earlier-run.ts";
import { withInputOptions } from "../run/with-input-options.ts";
import { standingOf } from "../runs/run-standing.ts";
import { performTask } from "../task/perform-task.ts";
import type { TaskOptions } from "../task/task-options.ts";
import { findServedRun, isBelow, listServedRuns, type ServedFolder } from "./served-runs.ts";

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
    description: "List the newest runs in the served folder with their state and task.",
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
  /** Ids of the runs that were begun for the client; one that it begins is added. */
  readonly begun: Set<string>;
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
export async function callRunTool(
  context: CommandContext,
  options: TaskOptions,
  call: RunToolCall,
): Promise<ToolResult> {
  switch (call.name) {
    case "run_task":
      return runTask(context, options, call);
    case "list_runs":
      return listRuns(context, options, call);
    case "show_run":
      return showRun(context, options, call);
    default:
      throw invalid("name", `there is no tool ${call.name}`);
  }
}

async function runTask(
  context: CommandContext,
  options: TaskOptions,
  { args, begun, signal, onProgress }: RunToolCall,
): Promise<ToolResult> {
  const prompt = textIn(args, "prompt");
  if (prompt === undefined || prompt.trim() === "") throw invalid("prompt", "it is missing");
  const workspace = await workspaceOf(context, options, textIn(args, "workspace"));
  const from = textIn(args, "continue_run");
  const served = await servedBy(context, options, begun);
  const known = from === undefined ? undefined : await findServedRun(context, served, from);
  const earlier = known === undefined ? undefined : await findEarlierRun(context, { ...served, from: known.runId });
  const asked = withInputOptions(context, options, { messages: [{ role: "user", content: prompt }], workspace });
  const { approve, workspace: _, ...others } = options;
  // What a client asks for can only be less than what the server was started with.
  const permissions = args["plan"] === true ? { mode: "plan" as const } : approve === undefined ? {} : { approve };
  const runId = createRunId(context.now());
  begun.add(runId);
  const report = await performTask(
    context,
    { ...others, ...permissions, prompt },
    {
      ...{ runId, input: withHistory(asked, earlier), signal, command: "mcp" },
      onEvent: async (envelope) => {
        if (envelope.type !== "tool_call_start") return;
        await onProgress(describeCall(envelope.payload.name, envelope.payload.arguments));
      },
    },
  );
  return toResult(report);
}

/** Links are followed first: a folder below must be below. */
async function workspaceOf(context: CommandContext, options: TaskOptions, asked: string | undefined): Promise<string> {
  const root = await rootOf(context, options);
  const path = await realPath(resolve(root, asked ?? "."));
  if (!isBelow(path, root)) throw invalid("workspace", `${path} is not below ${root}`);
  return path;
}

function rootOf(context: CommandContext, { workspace = "." }: TaskOptions): Promise<string> {
  return realPath(resolve(context.workingDirectory, workspace));
}

async function servedBy(
  context: CommandContext,
  options: TaskOptions,
  begun: ReadonlySet<string>,
): Promise<ServedFolder> {
  const { state, store } = options;
  const kept = { ...(state === undefined ? {} : { state }), ...(store === undefined ? {} : { store }) };
  return { ...kept, root: await rootOf(context, options), begun };
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

async function listRuns(
  context: CommandContext,
  options: TaskOptions,
  { args, begun }: RunToolCall,
): Promise<ToolResult> {
  const limit = typeof args["limit"] === "number" ? args["limit"] : 20;
  const listed = await listServedRuns(context, await servedBy(context, options, begun), limit);
  const runs = listed.map(({ record, lease }) => {
    const { run_id, title, created_at } = record;
    return { run_id, status: standingOf(record, lease).status, title, created_at };
  });
  const lines = runs.map(({ run_id, status, title }) => `${run_id} ${status}: ${title}`);
  const text = lines.length === 0 ? "There are no runs." : lines.join("\n");
  return { content: [{ type: "text", text }], structuredContent: { runs } };
}

async function showRun(
  context: CommandContext,
  options: TaskOptions,
  { args, begun }: RunToolCall,
): Promise<ToolResult> {
  const id = textIn(args, "run_id") ?? "";
  const run = await findServedRun(context, await servedBy(context, options, begun), id);
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
