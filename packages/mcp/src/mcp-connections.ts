import type { ToolSource } from "@switchyard/contracts";

/** How a server is. */
export interface McpServerStatus {
  /** Its name in the configuration. */
  readonly name: string;
  /**
   * `connecting`: it is being started; `ready`: its tools can be called; `failed`: it is started anew after a while or
   * with the next call; `closed`: for good.
   */
  readonly state: "connecting" | "ready" | "failed" | "closed";
  /** Why it failed, in one line, without secrets. */
  readonly problem?: string | undefined;
  /** Number of its tools that are offered. */
  readonly tools: number;
}

/**
 * The servers of a run. As a source of tools it can be handed to a session (`toolSource`) or to an engine
 * (`DEPENDENCY.toolRegistry`). Tools of a server that has failed stay: a call starts it anew. Contract: nothing of any
 * server is left running behind disposal.
 */
export interface McpConnections extends ToolSource, AsyncDisposable {
  /** How each server is, in the order of the configuration. */
  servers(): readonly McpServerStatus[];
}
