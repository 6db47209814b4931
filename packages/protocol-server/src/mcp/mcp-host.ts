import type { EngineError, RunStore, SessionInput, StoredRun } from "@switchyard/contracts";
import type { TaskHost } from "../host/task-host.ts";

/** Services that the MCP server needs from its host program. */
export interface McpHost extends TaskHost {
  /**
   * Finds a run by its id or the beginning of it. Rejects with `run.not_found` or, if several runs match,
   * `usage.invalid`.
   */
  findRun(runs: Pick<RunStore, "list" | "show">, id: string): Promise<StoredRun>;
  /** Creates the error for a run that is unknown or hidden. */
  runNotFound(runId: string): EngineError;
  /** Returns the folder of this machine that a run worked in; `undefined` if it has none. */
  workspaceOf(run: Pick<StoredRun, "record" | "request">): string | undefined;
  /** Adds the conversation of an earlier run to an input. Rejects with `run.not_resumable` if it is unknown. */
  continueRun(runId: string, input: SessionInput): Promise<SessionInput>;
}
