import type { ToolSource } from "@switchyard/contracts";

/** Status of a server. */
export interface McpServerStatus {
  /** Name of the server in the configuration. */
  readonly name: string;
  /**
   * `connecting`: the server is starting. `ready`: its tools can be called. `failed`: the server restarts after a delay
   * or with the next call. `closed`: the server does not restart.
   */
  readonly state: "connecting" | "ready" | "failed" | "closed";
  /** Reason for the failure, in one line, without secrets. */
  readonly problem?: string | undefined;
  /** Number of the server's tools that are offered to the model. */
  readonly tools: number;
}

/**
 * Connections to the MCP servers of a run. Can be passed as a tool source to a session (`toolSource`) or an engine
 * (`DEPENDENCY.toolRegistry`). Tools of a failed server stay available: a call restarts it. Contract: after disposal no
 * server is running.
 */
export interface McpConnections extends ToolSource, AsyncDisposable {
  /** Returns the status of each server, in configuration order. */
  servers(): readonly McpServerStatus[];
}
