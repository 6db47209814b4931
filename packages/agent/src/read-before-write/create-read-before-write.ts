import { posix } from "node:path";
import { type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { HookedCall, SessionHooks, ToolCallChange } from "../hooks/session-hooks.ts";

/** Returns the absolute paths that a call names. Empty if the tool reports no paths or rejects the arguments. */
function pathsOf({ tool, args }: HookedCall, workingDirectory: string): readonly string[] {
  try {
    return (tool.targets?.(tool.toCanonicalArguments?.(args) ?? args).paths ?? []).map((path) =>
      posix.resolve(workingDirectory, path),
    );
  } catch {
    // Invalid arguments are ignored here, because the tool rejects them when it is called.
    return [];
  }
}

/**
 * Creates hooks that deny a change to an existing file that no tool has read or written before. The model would
 * otherwise overwrite content that it has not read. Prevents mistakes, and is not a security boundary: shell commands
 * and tools that report no paths are not checked. Use the hooks for one session and its subagents only. See loop: §8,
 * read-before-write guardrail.
 */
export function createReadBeforeWrite(environment: ExecutionEnvironment): SessionHooks {
  const known = new Set<string>();

  async function isUnknown(path: string): Promise<boolean> {
    return !known.has(path) && (await environment.exists(path));
  }

  return {
    async beforeToolCall(call, { workingDirectory }): Promise<ToolCallChange | undefined> {
      if (call.tool.effects === "readonly") return undefined;
      for (const path of pathsOf(call, workingDirectory)) {
        try {
          if (!(await isUnknown(path))) continue;
        } catch (error) {
          return { deny: `it is unknown whether ${path} exists: ${messageOf(error)}` };
        }
        return { deny: `${path} is there and was not read before; read it first` };
      }
      return undefined;
    },
    afterToolCall(call, { workingDirectory }) {
      if (call.outcome.isError !== true) for (const path of pathsOf(call, workingDirectory)) known.add(path);
      return undefined;
    },
  };
}
