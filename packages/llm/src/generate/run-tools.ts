import {
  EngineError,
  messageOf,
  type ToolArguments,
  type ToolCallPart,
  type ToolResultPart,
} from "@switchyard/contracts";
import { checkArguments } from "./check-value.ts";
import type { GenerateTool } from "./generate-options.ts";

/** What calls are run with. */
export interface RunToolsOptions {
  /** The tools by name. */
  readonly tools: ReadonlyMap<string, GenerateTool>;
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal | undefined;
}

function refuse(tool: string, problem: string): never {
  throw new EngineError("tool.invalid_arguments", { tool, problem });
}

function isArguments(value: unknown): value is ToolArguments {
  // A property of that name would become the prototype of whatever is copied from it.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__");
}

function argumentsOf({ name, arguments: text }: ToolCallPart): ToolArguments {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return refuse(name, `they are not valid JSON (${messageOf(error)})`);
  }
  return isArguments(value) ? value : refuse(name, "they are no plain object");
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

/** The value, or `llm.aborted` as soon as the signal fires: a tool need not listen to it. */
function orAborted<T>(value: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return value;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new EngineError("llm.aborted", {}, { cause: signal.reason }));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * Runs the calls of one answer at the same time; the results come in the order of the calls. An unknown tool,
 * arguments that do not fit and a tool that throws become failed results. Rejects with `llm.aborted` only.
 */
export function runTools(calls: readonly ToolCallPart[], options: RunToolsOptions): Promise<readonly ToolResultPart[]> {
  if (options.signal?.aborted) return orAborted(Promise.resolve([]), options.signal);
  return orAborted(Promise.all(calls.map((call) => runTool(call, options))), options.signal);
}
