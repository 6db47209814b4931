import type { WireError } from "../errors/engine-error.ts";
import type { Part } from "../model/part.ts";
import type { Usage } from "../model/usage.ts";
import type { RunStatus } from "../session/run-status.ts";

/** Payload of `run_start`. */
export interface RunStartPayload {
  /** True if the run was resumed from a checkpoint. */
  resumed: boolean;
}
/** Payload of `run_end`, the last event of an attempt. */
export interface RunEndPayload {
  /** Outcome of the attempt. */
  outcome: "completed" | "interrupted" | "cancelled" | "failed";
  /** Error that prevented completion. `undefined` on success. */
  error?: WireError | undefined;
}
/** Payload of step events. A step is a tool round, a graph node or a turn. */
export interface StepPayload {
  /** Name of the step; begins with the agent's id. */
  step: string;
  /** Error of a failure. `undefined` on success. */
  error?: WireError | undefined;
}
/** Payload of `session_start`. */
export interface SessionStartPayload {
  /** Session id, assigned by the engine. */
  session_id: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Process id of a third-party agent. */
  agent_pid?: number | undefined;
}
/** Payload of `session_end`. */
export interface SessionEndPayload {
  /** Id of the session. */
  session_id: string;
  /** State of the session when it was closed. */
  state: string;
}
/** A text. */
export interface TextPayload {
  /** The text. */
  content: string;
}
/** Payload of `processing_end`: the session has handled its input and is idle. */
export interface ProcessingEndPayload {
  /** Outcome of the session's last input. */
  outcome: "completed" | "turn_limit" | "aborted" | "failed" | "input_required" | "cancelled";
  /** Number of tool rounds. */
  rounds?: number | undefined;
  /** Error of a failure. `undefined` on success. */
  error?: WireError | undefined;
}
/** A piece of the model's text. See engine: StreamDeltaPayload of type token. */
export interface TokenDeltaPayload {
  type: "token";
  /** Piece of text. */
  content: string;
}
/** The model's complete response. */
export interface AssistantTextEndPayload {
  /** The whole text. */
  content: string;
  /** Complete reasoning of the model; `undefined` if the provider does not return reasoning. */
  reasoning?: string | undefined;
  /** Why the model stopped. */
  finish_reason?: string | undefined;
}
/** Start of a tool call. See engine: StreamDeltaPayload of type tool_call. */
export interface ToolCallStartPayload {
  type: "tool_call";
  /** Id of the call. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** Arguments, as JSON text or decoded. */
  arguments?: unknown;
}
/** A piece of output of a running tool. */
export interface ToolOutputDeltaPayload {
  /** Id of the call. */
  tool_call_id: string;
  /** Piece of output. */
  content: string;
}
/** End of a tool call, with its output. See engine: StreamDeltaPayload of type tool_result; loop: §2.9. */
export interface ToolCallEndPayload {
  type: "tool_result";
  /** Id of the call. */
  tool_call_id: string;
  /** Name of the tool. */
  name?: string | undefined;
  /**
   * Complete output, not the truncated text that the model sees. Only head and tail if the output is stored in a file.
   */
  content: string;
  /** True if the tool failed. */
  is_error?: boolean | undefined;
  /** True if the tool call was never executed. */
  cancelled?: boolean | undefined;
  /** Duration, in milliseconds. */
  duration_ms?: number | undefined;
  /** Path of the file that stores the complete output, relative to the run folder. Set only for large output. */
  output_ref?: { path: string; bytes: number; truncated: boolean } | undefined;
  /** Structured data for programs, such as the exit code and changed files. */
  details?: unknown;
}
/** A piece of streamed output that no other event type describes. See engine: StreamDeltaPayload of other types. */
export interface StreamDeltaPayload {
  /** Type of the increment. */
  type: string;
  /** Additional fields, which depend on the increment's type. */
  [field: string]: unknown;
}
/** A limit that was reached. */
export interface TurnLimitPayload {
  /** Name of the limit. */
  limit: "max_turns" | "max_tool_rounds_per_input" | "max_total_tokens" | "max_cost_micros" | "max_wall_time_ms";
  /** Value when the limit was reached: rounds, turns, tokens, millionths of a US dollar, or milliseconds. */
  count: number;
}
/** A session that could not be resumed, and why. */
export interface SessionReplacedPayload {
  /** Id of the session that could not be resumed. */
  session_id: string;
  /** Description of the replacement session, and the reason for the replacement. */
  message: string;
}

/** A message for the user. */
export interface NoticePayload {
  /** Text of the message, one sentence. */
  message: string;
  /** Kind of the message: `context_usage`, `artifact_dropped`, … */
  kind?: string | undefined;
  /** Structured data about it. */
  details?: unknown;
}
/** A failed model call that will be retried. */
export interface ModelRetriedPayload {
  /** 1-based number of the attempt that failed. */
  attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  delay_ms: number;
  /** Why it failed. */
  error: WireError;
  /** Level that retries: `call` (by the model client) or `turn` (by the agent loop). */
  level?: "call" | "turn" | undefined;
  /** Time of the next attempt, ISO 8601. */
  retry_at?: string | undefined;
  /** Total time that this turn has waited for retries, including the coming wait, in milliseconds. */
  waited_ms?: number | undefined;
  /** Maximum total time that this turn may wait for retries, in milliseconds. */
  max_wait_ms?: number | undefined;
  /** True if part of the failed response had arrived. The partial response is discarded. */
  is_partial?: boolean | undefined;
}
/** A model that failed, and the fallback model that replaces it from now on. */
export interface ModelFallbackPayload {
  /** Model reference that failed, `provider/name`. */
  from: string;
  /** Model reference of the fallback. */
  to: string;
  /** Why the model failed. */
  error: WireError;
}
/** A model request that the engine sent, and that the model gateway, a proxy of the host, refused. */
export interface ModelRequestRefusedPayload {
  /** 1-based number of the request among all that the engine sent to the model gateway. */
  request: number;
  /** Error code, such as `gateway.token_unknown`. */
  code: string;
  /** Why the request was refused. */
  message: string;
  /** True if the sent token belongs to another run. */
  is_foreign_token: boolean;
}
/** Token usage and cost of one model call. */
export interface UsagePayload {
  /** Id of the response. Usage of one response is counted once. */
  response_id?: string | undefined;
  /** Token usage and cost. */
  usage: Usage;
}
/** A question that waits for the user's answer. */
export interface PromptPayload {
  /** Id of the question, to which the answer refers. */
  prompt_id: string;
  /** Text of the question, as message parts. */
  parts: readonly Part[];
  /** JSON Schema of the expected answer. */
  schema?: unknown;
  /**
   * Engine-defined facts. A question about a permission has `kind: "approval"`, and describes the call by `tool`,
   * `call_id` and `arguments` (JSON). If rules of the host do not apply to the tool, it has `rules: "none"`.
   * `undefined` if the engine gives none.
   */
  metadata?: Readonly<Record<string, string>> | undefined;
}
/** The answer to a question. */
export interface ReplyPayload {
  /** Id of the question. */
  prompt_id: string;
  /** Text of the answer, as message parts. */
  parts: readonly Part[];
}
/** A request for a permission, and the decision about it. */
export interface ApprovalPayload {
  /** Id of the call. */
  tool_call_id: string;
  /** Name of the tool. */
  name: string;
  /** The decision. */
  decision: "allow" | "deny";
  /** Who made the decision: a `rule`, the `user`, the `host`, or the agent itself. */
  decided_by: string;
  /** Reason for the decision. */
  reason?: string | undefined;
}
/** A subagent that started or ended. */
export interface SubagentPayload {
  /** Id of the subagent. */
  agent_id: string;
  /** Task of a subagent that started, or last message of a subagent that ended. */
  content: string;
  /** Status of the subagent. */
  status: "running" | "completed" | "failed";
}
/** A checkpoint that was stored. */
export interface CheckpointPayload {
  /** 1-based number of the checkpoint within the run. */
  number?: number | undefined;
  /** Engine-defined name of the step at which the checkpoint was created. */
  step?: string | undefined;
  /** Number of the current iteration, if the engine works in a loop. */
  iteration?: number | undefined;
  /** Working time of all attempts of the run, in milliseconds, by the monotonic clock. */
  active_ms?: number | undefined;
}
/** A message from the user or host to the running engine. The event does not mean that the engine has read it. */
export interface ControlPayload {
  /** Id of the message within the run. */
  control_id: string;
  /** `steer`: added before the next model call. `follow_up`: added after the current input is done. */
  kind: "steer" | "follow_up";
  /** Text of the message. */
  content: string;
}
/** A request to stop the run. */
export interface InterruptPayload {
  /** Reason for the interrupt. */
  cause: string;
  /** Host-defined description. */
  detail?: string | undefined;
}
/** A change of the run's status. */
export interface RunStatusPayload {
  /** New status. */
  status: RunStatus;
}
/** An attempt (one execution of the run) that failed and will be retried. */
export interface RetryPayload {
  /** Number of the attempt that failed. */
  attempt: number;
  /** Number of the next attempt. */
  next_attempt: number;
  /** Number of failed attempts so far, including this one. Resuming after a process crash does not increase it. */
  tries: number;
  /** Maximum number of attempts, including the first. */
  max_attempts: number;
  /** Wait before the next attempt, in milliseconds. */
  delay_ms: number;
  /** Error that the attempt failed with. */
  error: WireError;
}
/** Decision of an environment's network proxy about one request. */
export interface NetworkRequestPayload {
  /** Kind of the request: a tunnel for TLS, or a request in plain HTTP. */
  kind: "tunnel" | "http";
  /** Requested host. */
  host: string;
  /** Requested port. `undefined` if the request is malformed. */
  port?: number | undefined;
  /** `allowed`, `refused`, or `failed` if the host is allowed but could not be reached. */
  verdict: "allowed" | "refused" | "failed";
  /** Reason of the decision, such as `host_not_listed`. */
  reason: string;
  /** IP address that the proxy connected to or refused to connect to. `undefined` if the host name was not resolved. */
  address?: string | undefined;
  /** Explanation that the client in the environment received. */
  message: string;
}
/** Start or end of a task in a fan-out, which runs many tasks in parallel. */
export interface TaskPayload {
  /** Id of the task. */
  task_id: string;
  /** Key of its group. */
  group_key?: string | undefined;
  /** Status of the task. */
  status: string;
}

/** Payload types of all events, by event type. */
export interface EventPayloads {
  /** The run started. */
  run_start: RunStartPayload;
  /** The run ended; the last event of an attempt. */
  run_end: RunEndPayload;
  /** The status of the run changed. */
  run_status_changed: RunStatusPayload;
  /** A step started. */
  step_start: StepPayload;
  /** A step succeeded. */
  step_complete: StepPayload;
  /** A step failed. */
  step_error: StepPayload;
  /** A session was created. */
  session_start: SessionStartPayload;
  /** The agent no longer has the session that should be resumed, so it starts a new session. */
  session_replaced: SessionReplacedPayload;
  /** The session was closed. */
  session_end: SessionEndPayload;
  /** The user submitted input. */
  user_input: TextPayload;
  /** The session handled its input and is idle. */
  processing_end: ProcessingEndPayload;
  /** The model began to respond. */
  assistant_text_start: Record<string, never>;
  /** A piece of the model's text arrived. */
  assistant_text_delta: TokenDeltaPayload;
  /** The model completed its response; carries the complete text. */
  assistant_text_end: AssistantTextEndPayload;
  /** A piece of the model's reasoning arrived. */
  reasoning_delta: TextPayload;
  /** A tool call started. */
  tool_call_start: ToolCallStartPayload;
  /** A running tool wrote output. */
  tool_call_output_delta: ToolOutputDeltaPayload;
  /** A tool call ended; carries the complete output. */
  tool_call_end: ToolCallEndPayload;
  /** A piece of streamed output arrived that no other event type describes. */
  stream_delta: StreamDeltaPayload;
  /** The agent called a tool that the host does not provide. */
  tool_call_refused: NoticePayload;
  /** A steering message was added to the conversation. The sender is the user or, for a subagent, its parent. */
  steering_injected: TextPayload;
  /** A limit on turns, tool rounds, tokens, cost or time was reached. */
  turn_limit: TurnLimitPayload;
  /** The model repeats the same sequence of tool calls. */
  loop_detection: NoticePayload;
  /** A problem occurred that does not stop the run. */
  warning: NoticePayload;
  /** An operation failed. */
  error: WireError;
  /** A model call failed and will be retried. */
  model_call_retried: ModelRetriedPayload;
  /** A model failed; from now on a fallback model is used. */
  model_fallback: ModelFallbackPayload;
  /** The model gateway, a proxy of the host, refused a model request of the engine. */
  model_request_refused: ModelRequestRefusedPayload;
  /** Token usage and cost of one model call. */
  usage_reported: UsagePayload;
  /** A question waits for the user's answer. */
  user_prompted: PromptPayload;
  /** The user answered a question. */
  user_replied: ReplyPayload;
  /** A permission request was decided. */
  approval_decided: ApprovalPayload;
  /** A subagent started. */
  subagent_started: SubagentPayload;
  /** A subagent ended. */
  subagent_ended: SubagentPayload;
  /** A checkpoint was stored. */
  checkpoint_saved: CheckpointPayload;
  /** The user or host sent a message to the running engine. */
  control_received: ControlPayload;
  /** A stop of the run was requested. */
  interrupt_requested: InterruptPayload;
  /** An attempt failed and will be retried. */
  retry_scheduled: RetryPayload;
  /** The network proxy of the environment allowed or refused a request, or could not connect to an allowed host. */
  network_request_decided: NetworkRequestPayload;
  /** The agent reports information about itself. */
  notification: NoticePayload;
  /** The agent printed a line that cannot be parsed. */
  malformed_output: NoticePayload;
  /** The agent printed a line of an unknown type. */
  other_message: NoticePayload;
  /** A task of a fan-out, which runs many tasks in parallel, started or ended. */
  task_status_changed: TaskPayload;
}

/** Type of an event, from the event table. */
export type EventType = keyof EventPayloads;
