import { posix } from "node:path";
import { type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { HookedCall, SessionHooks, ToolCallChange } from "../hooks/session-hooks.ts";

/** Returns the files that a call names. Empty if it names them by a pattern or the argument is not a path. */
function pathsOf({ tool, args }: HookedCall, workingDirectory: string): readonly string[] {
  try {
    return (tool.targets?.(tool.toCanonicalArguments?.(args) ?? args).paths ?? []).map((path) =>
      posix.resolve(workingDirectory, path),
    );
  } catch {
    // The tool itself rejects invalid arguments.
    return [];
  }
}

/**
 * Creates hooks that reject changes of an existing file that no tool has read or written before, because the model
 * would overwrite content that it has not seen. A guard against mistakes, not a security boundary: commands are not
 * checked, nor are tools that report no paths. Use it for one session and its subagents. loop: §8, read-before-write
 * guardrail.
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
          return { deny: `nobody can tell whether ${path} is there: ${messageOf(error)}` };
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
