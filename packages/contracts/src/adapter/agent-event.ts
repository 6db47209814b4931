import type { Usage } from "../model/usage.ts";

/**
 * Types of events that an adapter emits. `assistant_text` and `tool_started` extend the specification: they show the
 * agent's text and tool calls. See agent-adapter: events.
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

/** Type of an adapter event. See agent-adapter: AgentEventType. */
export type AgentEventType = (typeof AGENT_EVENT_TYPES)[number];

/** How a turn ended. See agent-adapter: TurnResult.ExitReason. */
export type TurnExitReason = "turn_completed" | "turn_failed" | "turn_cancelled" | "turn_input_required";

/**
 * An event that an adapter emits. Only the fields that the event's type uses are set. See agent-adapter: AgentEvent.
 */
export interface AgentEvent {
  /** Type of the event. */
  readonly type: AgentEventType;
  /** Time of the event, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** Process id of the agent. `undefined` if the environment has no process ids. */
  readonly agentPid?: number | undefined;
  /** The agent's session id, on `session_started`. */
  readonly sessionId?: string | undefined;
  /** Text of the message, output line or error; empty for a heartbeat. */
  readonly message?: string | undefined;
  /** Tokens used since the session started, on `token_usage`. */
  readonly usage?: Usage | undefined;
  /** Model that responds. `undefined` if the agent does not report it. */
  readonly model?: string | undefined;
  /** Time spent in model requests, in milliseconds. */
  readonly apiDurationMs?: number | undefined;
  /** Id of a tool call, on `tool_started` and `tool_result`. */
  readonly toolCallId?: string | undefined;
  /** Name of the tool. */
  readonly toolName?: string | undefined;
  /** Arguments of the tool, as the agent reports them. */
  readonly toolArguments?: unknown;
  /** Duration of the tool call, in milliseconds, by the monotonic clock. */
  readonly toolDurationMs?: number | undefined;
  /** True if the tool failed. */
  readonly toolError?: boolean | undefined;
}
