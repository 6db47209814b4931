import type { AgentPermissionRequest } from "@switchyard/contracts";
import type { TurnReport } from "../outcome/decide-turn.ts";
import type { MeasuredTokens } from "../usage/create-usage-accumulator.ts";

/** Outcome of a tool call. */
export interface ToolEnd {
  /** Output of the tool. */
  readonly output?: string | undefined;
  /** True if the tool failed. Default: false. */
  readonly isError?: boolean | undefined;
  /** Duration measured by the agent, in milliseconds. Default: measured by the adapter kit. */
  readonly durationMs?: number | undefined;
}

/** A tool call of the agent. */
export interface ToolStart {
  /** Id of the call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Arguments, as plain data. */
  readonly arguments?: unknown;
}

/** How a requested permission was decided. `cancelled`: the turn ended before the user answered. */
export type PermissionDecision = "allowed" | "denied" | "cancelled";

/**
 * Receives an adapter's reports about a turn while the adapter reads the agent's output. After the turn, `decideTurn`
 * decides from these reports how the turn ended. A turn cannot succeed without evidence that the agent worked.
 */
export interface TurnScope {
  /** Reports that the agent's session started or has a new id. */
  sessionStarted(id: string, details?: { readonly model?: string | undefined }): void;
  /** Reports the name of the model that responds. */
  model(name: string): void;
  /** Reports a text of the model. Counts as evidence that the agent worked. */
  text(text: string): void;
  /** Reports the start of a tool call. Counts as evidence that the agent worked. */
  toolStarted(tool: ToolStart): void;
  /** Reports the end of a tool call. Ignored if no call with the id was started. */
  toolEnded(id: string, end?: ToolEnd): void;
  /** Reports that the agent called an unavailable tool. Counts as evidence that the agent worked. */
  toolRefused(name: string): void;
  /** Reports the token usage of the model request with the given id. */
  requestUsage(id: string, tokens: MeasuredTokens): void;
  /** Reports the tokens of the whole turn. */
  turnUsage(tokens: MeasuredTokens, details?: { readonly apiDurationMs?: number | undefined }): void;
  /** Reports the tokens of the whole conversation so far, and of its last request. */
  conversationUsage(tokens: MeasuredTokens, last: MeasuredTokens): void;
  /**
   * Reports a message of the agent about its own state. An empty text is only a heartbeat, a sign that the agent is
   * alive.
   */
  notify(message: string): void;
  /** Reports a line of an unknown kind. */
  other(message: string): void;
  /**
   * Reports that the agent requested a permission for a tool, and that the permission was denied. Counts as evidence
   * that the agent worked.
   */
  permissionRefused(what: string): void;
  /**
   * Asks the user for the permission to make a tool call, and resolves with the decision. The time limits of the turn
   * are paused meanwhile. If the run has no user to ask, the permission is denied and reported with
   * `permissionRefused`.
   */
  requestPermission(request: AgentPermissionRequest): Promise<PermissionDecision>;
  /** Reports a question to the user, which ends the turn. */
  asksPerson(question: string): void;
  /**
   * Reports how the turn ended. If called several times, the last report is valid. The process then has
   * `result_grace_ms` to exit. After that, the process is ended, and the report remains valid. Text after a report is
   * emitted but does not replace the final message.
   */
  report(report: TurnReport): void;
  /**
   * Starts the same grace period for the exit of the process as `report`, but without reporting how the turn ended.
   * Intended for adapters whose `finish` hook makes this report: they call this method after the agent's last output.
   */
  expectExit(): void;
  /**
   * Cancels the grace period for the exit of the process, because the agent continues. Intended for agents that may
   * continue after a report, or after output that is usually their last.
   */
  expectOutput(): void;
}
