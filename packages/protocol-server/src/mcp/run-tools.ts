import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import type { SessionInput, SessionReport } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createRunId, storedRunState } from "@switchyard/runner";
import { describeCall, readDiff } from "@switchyard/terminal";
import type { McpHost } from "./mcp-host.ts";
import { findServedRun, isBelow, listServedRuns } from "./served-runs.ts";

const TEXT = { type: "string" as const };

/** Tools of the server. */
export const RUN_TOOLS: readonly Tool[] = [
  {
    name: "run_task",
    title: "Run a coding task",
    description:
      "Run a coding agent on a task in a folder until it is done. Takes minutes. Returns its final message, its changes, and the id of the run.",
    inputSchema: {
      type: "object" as const,
      properties: {
        prompt: { ...TEXT, description: "The task, with all information that the agent needs." },
        workspace: { ...TEXT, description: "Folder to work in, inside the served folder. Default: the served folder." },
        plan: { type: "boolean", description: "Whether the run is read-only and responds with a plan." },
        continue_run: { ...TEXT, description: "Id of an earlier run whose conversation is continued." },
      },
      required: ["prompt"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  {
    name: "list_runs",
    title: "List runs",
    description: "List the latest runs in the served folder with their status and task.",
    inputSchema: { type: "object" as const, properties: { limit: { type: "integer", minimum: 1, maximum: 100 } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: "show_run",
    title: "Show a run",
    description: "Show a run's status, final message and changes.",
    inputSchema: { type: "object" as const, properties: { run_id: TEXT }, required: ["run_id"] },
    annotations: { readOnlyHint: true },
  },
];

/** Call of one of the MCP server's tools. */
export interface RunToolCall {
  /** Name of the tool. */
  readonly name: string;
  /** Arguments of the tool call, as sent by the client. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Ids of the runs that the client started. A call that starts a run adds the run's id. */
  readonly started: Set<string>;
  /** Signal that interrupts the call. */
  readonly signal: AbortSignal;
  /** Called with a description of each tool call that the run makes, for progress notifications. */
  readonly onProgress: (message: string) => Promise<void>;
}

interface ToolResult {
  [key: string]: unknown;
  readonly content: { type: "text"; text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: boolean;
}

/** Executes a tool call, which can access the runs of the folder `root`. Rejects with `EngineError`. */
export async function callRunTool(host: McpHost, root: string, call: RunToolCall): Promise<ToolResult> {
  switch (call.name) {
    case "run_task":
      return runTask(host, root, call);
    case "list_runs":
      return listRuns(host, root, call);
    case "show_run":
      return showRun(host, root, call);
    default:
      throw invalid("name", `unknown tool ${call.name}`);
  }
}

async function runTask(
  host: McpHost,
  root: string,
  { args, started, signal, onProgress }: RunToolCall,
): Promise<ToolResult> {
  const prompt = textIn(args, "prompt");
  if (prompt === undefined || prompt.trim() === "") throw invalid("prompt", "it is missing");
  const workspace = await workspaceOf(root, textIn(args, "workspace"));
  const from = textIn(args, "continue_run");
  const served = { root: await realPath(root), started };
  const earlier = from === undefined ? undefined : await findServedRun(host, served, from);
  const request: SessionInput = { messages: [{ role: "user", content: prompt }], workspace };
  const input = earlier === undefined ? request : await host.continueRun(earlier.runId, request);
  const runId = createRunId(host.now());
  started.add(runId);
  const report = await host.runTask({
    ...{ runId, prompt, input, signal },
    // A client cannot exceed the permissions with which the server was started.
    mode: args["plan"] === true ? "plan" : undefined,
    onEvent: async (envelope) => {
      if (envelope.type !== "tool_call_start") return;
      await onProgress(describeCall(envelope.payload.name, envelope.payload.arguments));
    },
  });
  return toResult(report);
}

/** Resolves symbolic links first, so that a link in the folder cannot lead out of it. */
async function workspaceOf(root: string, requested: string | undefined): Promise<string> {
  const folder = await realPath(root);
  const path = await realPath(resolve(folder, requested ?? "."));
  if (!isBelow(path, folder)) throw invalid("workspace", `${path} is not below ${folder}`);
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

async function listRuns(host: McpHost, root: string, { args, started }: RunToolCall): Promise<ToolResult> {
  const limit = typeof args["limit"] === "number" ? args["limit"] : 20;
  const listed = await listServedRuns(host, { root: await realPath(root), started }, limit);
  const runs = listed.map(({ record, lease }) => {
    const { run_id, title, created_at } = record;
    return { run_id, status: storedRunState(record, lease).status, title, created_at };
  });
  const lines = runs.map(({ run_id, status, title }) => `${run_id} ${status}: ${title}`);
  const text = lines.length === 0 ? "There are no runs." : lines.join("\n");
  return { content: [{ type: "text", text }], structuredContent: { runs } };
}

async function showRun(host: McpHost, root: string, { args, started }: RunToolCall): Promise<ToolResult> {
  const id = textIn(args, "run_id") ?? "";
  const run = await findServedRun(host, { root: await realPath(root), started }, id);
  if (run.report !== undefined) return { ...toResult(run.report), isError: false };
  const status = run.record === undefined ? "damaged" : storedRunState(run.record, run.lease).status;
  return {
    content: [{ type: "text", text: `Run ${run.runId}: ${status}` }],
    structuredContent: { run_id: run.runId, status },
  };
}

function textIn(args: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || typeof value === "string") return value;
  throw invalid(name, "it is not a string");
}

function invalid(name: string, problem: string): EngineError {
  return new EngineError("input.invalid", { path: name, expected: "argument", problem });
}
