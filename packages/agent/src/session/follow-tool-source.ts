import type { NoticePayload, RegisteredTool, ToolSource } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";

/** What follows a source. */
export interface SourceFollower {
  /** The session's tools. */
  readonly registry: ToolRegistry;
  /** Names of the tools that may be used; all of them when unset. */
  readonly allowedTools: readonly string[] | undefined;
  /** Called when there may be something to say. */
  readonly onNotices: () => void;
}

/** What a source has to say. */
export function noticesOf(source: ToolSource | undefined): readonly NoticePayload[] {
  return source?.takeNotices?.() ?? [];
}

/**
 * Keeps the registry of a session the same as a source of tools that come and go: the next model call offers what there
 * is by then. A tool of the source never takes the place of another one. The returned function ends that.
 * loop: MCP, §8.
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
      // The host may have put a tool of its own there since.
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
