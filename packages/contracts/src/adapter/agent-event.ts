import type { Usage } from "../model/usage.ts";

/**
 * Names of what an adapter tells while its agent works: the vocabulary of the specification, and `assistant_text` and
 * `tool_started`, which show what the agent says and does. agent-adapter: events.
 */
export const AGENT_EVENT_TYPES = [
  "session_started",
  "startup_failed",
  "turn_completed",
  "turn_failed",
  "turn_cancelled",
  "turn_ended_with_error",
  "turn_input_required",
  "approval_auto_approved",
  "unsupported_tool_call",
  "token_usage",
  "notification",
  "other_message",
  "malformed",
  "tool_result",
  "assistant_text",
  "tool_started",
] as const;

/** Name of an event of an adapter. agent-adapter: AgentEventType. */
export type AgentEventType = (typeof AGENT_EVENT_TYPES)[number];

/** How a turn ended. agent-adapter: TurnResult.ExitReason. */
export type TurnExitReason = "turn_completed" | "turn_failed" | "turn_cancelled" | "turn_input_required";

/** One thing that an agent's adapter tells. Only what its type needs is set. agent-adapter: AgentEvent. */
export interface AgentEvent {
  /** What happened. */
  readonly type: AgentEventType;
  /** When, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** Process of the agent, where the place has one. */
  readonly agentPid?: number | undefined;
  /** Id of the agent's own session, on `session_started`. */
  readonly sessionId?: string | undefined;
  /** Text of a message, of the model, of a line or of a problem; empty for a mere sign of life. */
  readonly message?: string | undefined;
  /** Tokens since the session was started, on `token_usage`. */
  readonly usage?: Usage | undefined;
  /** Model that answers, where it is known. */
  readonly model?: string | undefined;
  /** Time that requests to the model took, in milliseconds. */
  readonly apiDurationMs?: number | undefined;
  /** Id of a tool call, on `tool_started` and `tool_result`. */
  readonly toolCallId?: string | undefined;
  /** Name of the tool. */
  readonly toolName?: string | undefined;
  /** Arguments of the tool, as the agent tells them. */
  readonly toolArguments?: unknown;
  /** Time from the tool's beginning to its end, in milliseconds by the monotonic clock. */
  readonly toolDurationMs?: number | undefined;
  /** Whether the tool failed. */
  readonly toolError?: boolean | undefined;
}
