import type {
  RegisteredTool,
  ToolArguments,
  ToolCallContext,
  ToolEffects,
  ToolOutput,
  ToolRevision,
} from "@switchyard/contracts";
import type { ListedTool } from "./list-tools.ts";

/** Calls the tools of a server. `name` is the server's own name for the tool. */
export interface ToolCaller {
  /** Calls a tool. Rejects with `mcp.*` errors. */
  call(name: string, args: ToolArguments, context: ToolCallContext): Promise<ToolOutput>;
}

/** Returns the effects of a call, from the server's annotations if they are trusted. See architecture: decision 18. */
function effectsOf({ isReadonly, isIdempotent }: ListedTool): ToolEffects {
  if (isReadonly) return "readonly";
  return isIdempotent ? "idempotent" : "unsafe";
}

/** Options for creating a tool. */
export interface ServerToolOptions {
  /** Name for the model. */
  readonly name: string;
  /** Server that offers the tool, for warnings. */
  readonly source: string;
  /** Executes its calls. */
  readonly caller: ToolCaller;
  /** True if the server's annotations are trusted. */
  readonly isTrusted: boolean;
  /** Version of its definition. */
  readonly revision: ToolRevision;
}

/** Creates a tool for the model from a server's tool. */
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
