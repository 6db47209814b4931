import {
  EngineError,
  messageOf,
  type ToolArguments,
  type ToolCallPart,
  type ToolResultPart,
} from "@switchyard/contracts";
import { checkArguments } from "./check-value.ts";
import type { GenerateTool } from "./generate-options.ts";

/** Options for executing calls. */
export interface RunToolsOptions {
  /** Tools by name. */
  readonly tools: ReadonlyMap<string, GenerateTool>;
  /** Signal that aborts when the tool results are no longer needed. */
  readonly signal: AbortSignal | undefined;
}

function refuse(tool: string, problem: string): never {
  throw new EngineError("tool.invalid_arguments", { tool, problem });
}

function isArguments(value: unknown): value is ToolArguments {
  // A property named `__proto__` would become the prototype of a copy.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__");
}

function argumentsOf({ name, arguments: text }: ToolCallPart): ToolArguments {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return refuse(name, `they are not valid JSON (${messageOf(error)})`);
  }
  return isArguments(value) ? value : refuse(name, "they are not a plain object");
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : (JSON.stringify(value) ?? String(value));
}

async function answerOf(call: ToolCallPart, { tools, signal }: RunToolsOptions): Promise<string> {
  const tool = tools.get(call.name);
  if (tool?.execute === undefined) {
    throw new EngineError("tool.unknown", { tool: call.name, known: [...tools.keys()] });
  }
  const args = argumentsOf(call);
  const problem = await checkArguments(args, tool.parameters);
  if (problem !== undefined) return refuse(call.name, problem);
  return toText(await tool.execute(args, { callId: call.id, signal }));
}

async function runTool(call: ToolCallPart, options: RunToolsOptions): Promise<ToolResultPart> {
  const { id: toolCallId, name } = call;
  try {
    return { type: "tool_result", toolCallId, name, content: await answerOf(call, options), isError: false };
  } catch (error) {
    return { type: "tool_result", toolCallId, name, content: messageOf(error), isError: true };
  }
}

/**
 * Resolves with the value, or rejects with `llm.aborted` as soon as the signal aborts, because a tool may ignore the
 * signal.
 */
function rejectOnAbort<T>(value: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return value;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new EngineError("llm.aborted", {}, { cause: signal.reason }));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * Executes the calls of one response concurrently; results are in the order of the calls. Unknown tools, invalid
 * arguments and errors become failed results. Rejects with `llm.aborted` only.
 */
export function runTools(calls: readonly ToolCallPart[], options: RunToolsOptions): Promise<readonly ToolResultPart[]> {
  if (options.signal?.aborted) return rejectOnAbort(Promise.resolve([]), options.signal);
  return rejectOnAbort(Promise.all(calls.map((call) => runTool(call, options))), options.signal);
}
