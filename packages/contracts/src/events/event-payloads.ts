import type { WireError } from "../errors/engine-error.ts";
import type { Part } from "../model/part.ts";
import type { Usage } from "../model/usage.ts";
import type { RunStatus } from "../session/run-status.ts";

/** A run began. */
export interface RunStartPayload {
  /** Whether it goes on from a checkpoint. */
  resumed: boolean;
}
/** A run ended; the last event of its attempt. */
export interface RunEndPayload {
  /** How it ended. */
  outcome: "completed" | "interrupted" | "cancelled" | "failed";
  /** Why, unless it completed. */
  error?: WireError | undefined;
}
/** One step of an engine: a tool round, a graph node, a turn. */
export interface StepPayload {
  /** Actor of the step; begins with the agent's id. */
  step: string;
  /** Why it failed. */
  error?: WireError | undefined;
}
/** A session was made. */
export interface SessionStartPayload {
  /** Id of the session, as its engine names it. */
  session_id: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Process of a foreign agent. */
  agent_pid?: number | undefined;
}
/** A session was closed. */
export interface SessionEndPayload {
  /** Id of the session. */
  session_id: string;
  /** State it was in. */
  state: string;
}
/** A text of somebody. */
export interface TextPayload {
  /** The text. */
  content: string;
}
/** A processing cycle ended and the session is idle again. */
export interface ProcessingEndPayload {
  /** Why it ended. */
  outcome: "completed" | "turn_limit" | "aborted" | "failed" | "input_required" | "cancelled";
  /** Tool rounds it took. */
  rounds?: number | undefined;
  /** Why it failed. */
  error?: WireError | undefined;
}
/** An increment of the model's text. engine: StreamDeltaPayload of type token. */
export interface TokenDeltaPayload {
  type: "token";
  /** Increment of text. */
  content: string;
}
/** The model's answer is complete. */
export interface AssistantTextEndPayload {
  /** The whole text. */
  content: string;
  /** The whole reasoning, where it is shown. */
  reasoning?: string | undefined;
  /** Why the model stopped. */
  finish_reason?: string | undefined;
}
/** A tool call began. engine: StreamDeltaPayload of type tool_call. */
export interface ToolCallStartPayload {
  type: "tool_call";
  /** Id of the call. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** Arguments: JSON text or decoded. */
  arguments?: unknown;
}
/** Some output of a running tool. */
export interface ToolOutputDeltaPayload {
  /** Id of the call. */
  tool_call_id: string;
  /** Increment of output. */
  content: string;
}
/** A tool call ended; carries the whole output. engine: StreamDeltaPayload of type tool_result; loop: §2.9. */
export interface ToolCallEndPayload {
  type: "tool_result";
  /** Id of the call. */
  tool_call_id: string;
  /** Name of the tool. */
  name?: string | undefined;
  /** The whole output, not what the model saw; head and tail when it is kept in a file. */
  content: string;
  /** Whether the tool failed. */
  is_error?: boolean | undefined;
  /** Whether the call was never carried out. */
  cancelled?: boolean | undefined;
  /** How long it took, in milliseconds. */
  duration_ms?: number | undefined;
  /** Where the whole output is kept, relative to the run folder, when it is large. */
  output_ref?: { path: string; bytes: number; truncated: boolean } | undefined;
  /** What the tool tells programs: exit code, changed files and the like. */
  details?: unknown;
}
/** An increment of a kind that this release has no event for. engine: StreamDeltaPayload of other types. */
export interface StreamDeltaPayload {
  /** Its kind. */
  type: string;
  /** What else the kind carries. */
  [field: string]: unknown;
}
/** A limit was reached. */
export interface TurnLimitPayload {
  /** Which limit. */
  limit: "max_turns" | "max_tool_rounds_per_input" | "max_total_tokens" | "max_cost_micros" | "max_wall_time_ms";
  /** Rounds, turns, tokens, millionths of a US dollar or milliseconds so far. */
  count: number;
}
/** A session that could not be resumed, and why. */
export interface SessionReplacedPayload {
  /** Id of the session that the agent does not have. */
  session_id: string;
  /** What happens now, and why. */
  message: string;
}

/** Something a person should know. */
export interface NoticePayload {
  /** One sentence. */
  message: string;
  /** What kind of notice: `context_usage`, `artifact_dropped`, … */
  kind?: string | undefined;
  /** Plain data about it. */
  details?: unknown;
}
/** A model call failed and is made again. */
export interface ModelRetriedPayload {
  /** 1-based number of the attempt that failed. */
  attempt: number;
  /** How long the next one waits, in milliseconds. */
  delay_ms: number;
  /** Why it failed. */
  error: WireError;
  /** What is retried: one call, by the client, or the turn, by the agent loop. */
  level?: "call" | "turn" | undefined;
  /** When the next attempt begins, ISO 8601. */
  retry_at?: string | undefined;
  /** Total wait of this turn so far, this one included, in milliseconds. */
  waited_ms?: number | undefined;
  /** Longest total wait of this turn, in milliseconds. */
  max_wait_ms?: number | undefined;
  /** Whether a part of the response had arrived, which is discarded. */
  is_partial?: boolean | undefined;
}
/** A model failed, and a fallback model is called from now on. */
export interface ModelFallbackPayload {
  /** Model reference that failed, `provider/name`. */
  from: string;
  /** Model reference that is called in its place. */
  to: string;
  /** Why the first one failed. */
  error: WireError;
}
/** Tokens and cost of one model call. */
export interface UsagePayload {
  /** Id of the answer they belong to; one answer is counted once. */
  response_id?: string | undefined;
  /** Tokens and cost. */
  usage: Usage;
}
/** A question waits for the user. */
export interface PromptPayload {
  /** Id the answer names. */
  prompt_id: string;
  /** The question. */
  parts: readonly Part[];
  /** JSON Schema of the expected answer. */
  schema?: unknown;
}
/** A question was answered. */
export interface ReplyPayload {
  /** Id of the question. */
  prompt_id: string;
  /** The answer. */
  parts: readonly Part[];
}
/** A permission was asked for and decided. */
export interface ApprovalPayload {
  /** Id of the call. */
  tool_call_id: string;
  /** Name of the tool. */
  name: string;
  /** What was decided. */
  decision: "allow" | "deny";
  /** Who decided: `rule`, `user`, `host`, or the agent itself. */
  decided_by: string;
  /** Why, in words. */
  reason?: string | undefined;
}
/** A child session began or ended. */
export interface SubagentPayload {
  /** Id of the child. */
  agent_id: string;
  /** Its task, or its last words. */
  content: string;
  /** How it ended. */
  status: "running" | "completed" | "failed";
}
/** A checkpoint was kept. */
export interface CheckpointPayload {
  /** 1-based number of the checkpoint within the run. */
  number?: number | undefined;
  /** Where the run was. */
  step?: string | undefined;
  /** Counter of the run. */
  iteration?: number | undefined;
  /** Time the run has been worked on, all attempts together, in milliseconds by the monotonic clock. */
  active_ms?: number | undefined;
}
/** A person said something to the running engine, which may not have taken it yet. */
export interface ControlPayload {
  /** Id of the message within the run. */
  control_id: string;
  /** `steer`: between two tool rounds; `follow_up`: when the current input is done. */
  kind: "steer" | "follow_up";
  /** What was said. */
  content: string;
}
/** The run was asked to stop. */
export interface InterruptPayload {
  /** Why. */
  cause: string;
  /** In the host's own words. */
  detail?: string | undefined;
}
/** The state of the run changed. */
export interface RunStatusPayload {
  /** The new state. */
  status: RunStatus;
}
/** An attempt failed, and the next one is on its way. */
export interface RetryPayload {
  /** Number of the attempt that failed. */
  attempt: number;
  /** Number of the next one. */
  next_attempt: number;
  /** Which try it was, from 1: an attempt that goes on after the death of its process is the same try. */
  tries: number;
  /** Most tries. */
  max_attempts: number;
  /** Wait before the next one, in milliseconds. */
  delay_ms: number;
  /** What the attempt failed with. */
  error: WireError;
}
/** One task of a fan-out began or ended. */
export interface TaskPayload {
  /** Id of the task. */
  task_id: string;
  /** Key of its group. */
  group_key?: string | undefined;
  /** State of its record. */
  status: string;
}

/** Payload of every event, by its name. */
export interface EventPayloads {
  /** The run began. */
  run_start: RunStartPayload;
  /** The run ended; the last event of an attempt. */
  run_end: RunEndPayload;
  /** The state of the run changed. */
  run_status_changed: RunStatusPayload;
  /** A step began. */
  step_start: StepPayload;
  /** A step succeeded. */
  step_complete: StepPayload;
  /** A step failed. */
  step_error: StepPayload;
  /** A session was made. */
  session_start: SessionStartPayload;
  /** The agent does not have the session it was to resume, so it starts a new one. */
  session_replaced: SessionReplacedPayload;
  /** The session was closed. */
  session_end: SessionEndPayload;
  /** The user submitted input. */
  user_input: TextPayload;
  /** A processing cycle ended; the session is idle again. */
  processing_end: ProcessingEndPayload;
  /** The model began to answer. */
  assistant_text_start: Record<string, never>;
  /** An increment of the model's text. */
  assistant_text_delta: TokenDeltaPayload;
  /** The model finished its answer; carries the whole text. */
  assistant_text_end: AssistantTextEndPayload;
  /** An increment of the model's reasoning. */
  reasoning_delta: TextPayload;
  /** A tool call began. */
  tool_call_start: ToolCallStartPayload;
  /** A running tool printed something. */
  tool_call_output_delta: ToolOutputDeltaPayload;
  /** A tool call ended; carries the whole output. */
  tool_call_end: ToolCallEndPayload;
  /** An increment of a kind that has no event of its own. */
  stream_delta: StreamDeltaPayload;
  /** The agent asked for a tool that the host does not offer. */
  tool_call_refused: NoticePayload;
  /** A steering message was added to the conversation. */
  steering_injected: TextPayload;
  /** A limit on turns, tool rounds, tokens, cost or time was reached. */
  turn_limit: TurnLimitPayload;
  /** The tool calls repeat a pattern. */
  loop_detection: NoticePayload;
  /** Something is not as it should be; the run goes on. */
  warning: NoticePayload;
  /** Something failed. */
  error: WireError;
  /** A model call failed and is made again. */
  model_call_retried: ModelRetriedPayload;
  /** A model failed, and a fallback model is called from now on. */
  model_fallback: ModelFallbackPayload;
  /** Tokens and cost of one model call. */
  usage_reported: UsagePayload;
  /** A question waits for the user. */
  user_prompted: PromptPayload;
  /** The user answered a question. */
  user_replied: ReplyPayload;
  /** A permission was asked for and decided. */
  approval_decided: ApprovalPayload;
  /** A child session began. */
  subagent_started: SubagentPayload;
  /** A child session ended. */
  subagent_ended: SubagentPayload;
  /** A checkpoint was kept. */
  checkpoint_saved: CheckpointPayload;
  /** A person said something to the running engine. */
  control_received: ControlPayload;
  /** The run was asked to stop. */
  interrupt_requested: InterruptPayload;
  /** An attempt failed, and the next one is on its way. */
  retry_scheduled: RetryPayload;
  /** The agent says something about itself. */
  notification: NoticePayload;
  /** The agent printed a line that cannot be understood. */
  malformed_output: NoticePayload;
  /** The agent printed a line of a kind that has no meaning here. */
  other_message: NoticePayload;
  /** A task of a fan-out began or ended. */
  task_status_changed: TaskPayload;
}

/** Name of an event, from the event table. */
export type EventType = keyof EventPayloads;
