import type { NoticePayload, RegisteredTool, ToolSource } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";

/** Options for `followToolSource`. */
export interface SourceFollower {
  /** The session's tools. */
  readonly registry: ToolRegistry;
  /** Names of allowed tools. `undefined`: all. */
  readonly allowedTools: readonly string[] | undefined;
  /** Called when the source may have new notices. */
  readonly onNotices: () => void;
}

/** Returns the notices of a source. */
export function noticesOf(source: ToolSource | undefined): readonly NoticePayload[] {
  return source?.takeNotices?.() ?? [];
}

/**
 * Keeps a session's registry in sync with a source of changing tools, so that the next model call offers the current
 * ones. Tools of the source never replace other tools. Returns a function that stops the synchronization. See loop:
 * MCP, §8.
 */
export function followToolSource(
  source: ToolSource,
  { registry, allowedTools, onNotices }: SourceFollower,
): () => void {
  const offered = new Map<string, RegisteredTool>();
  const allowed = allowedTools === undefined ? undefined : new Set(allowedTools);

  function follow(): void {
    const found = new Map(source.tools().map((tool) => [tool.definition.name, tool] as const));
    for (const [name, tool] of offered) {
      if (found.get(name) === tool) continue;
      offered.delete(name);
      // Only tools of the source are removed: the host may have replaced a tool in the meantime.
      if (registry.get(name) === tool) registry.unregister(name);
    }
    for (const [name, tool] of found) {
      if (registry.get(name) !== undefined || allowed?.has(name) === false) continue;
      registry.register(tool);
      offered.set(name, tool);
    }
  }
  follow();
  return source.onChange(() => {
    follow();
    onNotices();
  });
}
