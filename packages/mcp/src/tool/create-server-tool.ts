import type {
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolEffects,
  ToolOutput,
  ToolRevision,
} from "@switchyard/contracts";
import type { ListedTool } from "./list-tools.ts";

/** Carries out calls of a server's tools, by the names that the server gave them. */
export interface ToolCaller {
  /** Calls a tool; rejects with `mcp.*` errors. */
  call(name: string, args: ToolArguments, context: ToolCallContext): Promise<ToolOutput>;
}

/** A server's word on what a call changes, as far as it is believed. architecture: decision 18. */
function effectsOf({ isReadonly, isIdempotent }: ListedTool): ToolEffects {
  if (isReadonly) return "readonly";
  return isIdempotent ? "idempotent" : "unsafe";
}

/** What a tool is made with. */
export interface ServerToolOptions {
  /** Name by which the model knows it. */
  readonly name: string;
  /** Owner of the tool, for warnings. */
  readonly source: string;
  /** Carries out its calls. */
  readonly caller: ToolCaller;
  /** Whether the server's annotations are believed. */
  readonly isTrusted: boolean;
  /** Version of its definition. */
  readonly revision: ToolRevision;
}

/** One tool of a server as a tool that a model may call. */
export function createServerTool(
  listed: ListedTool,
  { name, source, caller, isTrusted, revision }: ServerToolOptions,
): RegisteredTool {
  return {
    definition: { name, description: listed.description, parameters: listed.schema, source },
    effects: isTrusted ? effectsOf(listed) : "unsafe",
    revision,
    execute: (args, _environment, context) => caller.call(listed.name, args, context),
  };
}
