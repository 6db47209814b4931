import type { EngineError, RunStore, SessionInput, StoredRun } from "@switchyard/contracts";
import type { TaskHost } from "../host/task-host.ts";

/** Services that the MCP server needs from its host program. */
export interface McpHost extends TaskHost {
  /**
   * Finds a run by its id or a unique prefix of the id. Rejects with `run.not_found`, or with `usage.invalid` if
   * several runs match.
   */
  findRun(runs: Pick<RunStore, "list" | "show">, id: string): Promise<StoredRun>;
  /** Creates the error for a run that does not exist or that the client may not access. */
  runNotFound(runId: string): EngineError;
  /** Returns the workspace folder of a run on this machine; `undefined` if the workspace is elsewhere. */
  workspaceOf(run: Pick<StoredRun, "record" | "request">): string | undefined;
  /**
   * Adds the conversation of an earlier run to a session input. Rejects with `run.not_resumable` if the conversation is
   * not stored.
   */
  continueRun(runId: string, input: SessionInput): Promise<SessionInput>;
}
