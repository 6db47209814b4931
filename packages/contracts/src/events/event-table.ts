import type { EventType } from "./event-payloads.ts";

/** Component that publishes an event. */
export type EventEmitter = "engine" | "agent" | "custom-engine" | "adapter" | "runtime" | "runner" | "gateway";

/**
 * Kind of a routing subject. Subscribers select events by their routing subject, a dotted name. See `subjectOf` in the
 * engine package. See engine: subjects.
 */
export type SubjectKind =
  | "run.start"
  | "run.end"
  | "step.start"
  | "step.complete"
  | "step.error"
  | "stream.delta"
  | "session";

/** One row of the event table. */
export interface EventRow {
  /** Kind of the routing subject under which the event is published. */
  readonly subject: SubjectKind;
  /** True if the event is stored and has a `seq`. Pieces of streamed output are not stored. */
  readonly persisted: boolean;
  /** Components that publish the event. */
  readonly emittedBy: readonly EventEmitter[];
  /** Names by which the specifications refer to the event. */
  readonly specified: Readonly<{ loop?: string; engine?: string; adapter?: readonly string[] }>;
  /** When the event is emitted, in one sentence. */
  readonly summary: string;
}

const ALL: readonly EventEmitter[] = ["agent", "custom-engine", "adapter", "runtime"];

type Routing = Omit<EventRow, "summary">;

function row(summary: string, routing: Partial<Routing> = {}): EventRow {
  return { subject: "session", persisted: true, emittedBy: ["agent"], specified: {}, ...routing, summary };
}

/**
 * The event table. For each event: routing subject, whether the event is stored, publishers, and names in the
 * specifications.
 */
export const EVENT_TABLE: Readonly<Record<EventType, EventRow>> = {
  run_start: row("The run started.", { subject: "run.start", emittedBy: ["engine"], specified: { engine: "start" } }),
  run_end: row("The run ended; the last event of an attempt.", {
    subject: "run.end",
    emittedBy: ["engine"],
    specified: { engine: "end" },
  }),
  run_status_changed: row("The status of the run changed.", { emittedBy: ["runner"] }),
  step_start: row("A step started.", { subject: "step.start", emittedBy: ALL, specified: { engine: "step.start" } }),
  step_complete: row("A step succeeded.", {
    subject: "step.complete",
    emittedBy: ALL,
    specified: { engine: "step.complete" },
  }),
  step_error: row("A step failed.", { subject: "step.error", emittedBy: ALL, specified: { engine: "step.error" } }),
  session_start: row("A session was created.", {
    emittedBy: ["agent", "adapter"],
    specified: { loop: "SESSION_START", adapter: ["session_started"] },
  }),
  session_replaced: row("The agent does not have the session it was to resume, so it starts a new one.", {
    emittedBy: ["adapter"],
  }),
  session_end: row("The session was closed.", { emittedBy: ["agent", "adapter"], specified: { loop: "SESSION_END" } }),
  user_input: row("The user submitted input.", { emittedBy: ALL, specified: { loop: "USER_INPUT" } }),
  processing_end: row("The session handled its input and is idle.", {
    emittedBy: ["agent", "adapter"],
    specified: {
      loop: "PROCESSING_END",
      adapter: [
        "turn_completed",
        "turn_failed",
        "turn_cancelled",
        "turn_ended_with_error",
        "turn_input_required",
        "startup_failed",
      ],
    },
  }),
  assistant_text_start: row("The model began to respond.", { specified: { loop: "ASSISTANT_TEXT_START" } }),
  assistant_text_delta: row("A piece of the model's text arrived.", {
    subject: "stream.delta",
    persisted: false,
    emittedBy: ALL,
    specified: { loop: "ASSISTANT_TEXT_DELTA", engine: "token" },
  }),
  assistant_text_end: row("The model completed its response; carries the complete text.", {
    emittedBy: ALL,
    specified: { loop: "ASSISTANT_TEXT_END" },
  }),
  reasoning_delta: row("A piece of the model's reasoning arrived.", {
    persisted: false,
    emittedBy: ["agent", "adapter"],
  }),
  tool_call_start: row("A tool call started.", {
    subject: "stream.delta",
    emittedBy: ["agent", "adapter"],
    specified: { loop: "TOOL_CALL_START", engine: "tool_call" },
  }),
  tool_call_output_delta: row("A running tool wrote output.", {
    persisted: false,
    emittedBy: ["agent", "adapter"],
    specified: { loop: "TOOL_CALL_OUTPUT_DELTA" },
  }),
  stream_delta: row("A stream increment of a type that has no event.", {
    subject: "stream.delta",
    persisted: false,
    emittedBy: ALL,
  }),
  tool_call_end: row("A tool call ended; carries the complete output.", {
    subject: "stream.delta",
    emittedBy: ["agent", "adapter"],
    specified: { loop: "TOOL_CALL_END", engine: "tool_result", adapter: ["tool_result"] },
  }),
  tool_call_refused: row("The agent called a tool that the host does not provide.", {
    emittedBy: ["adapter"],
    specified: { adapter: ["unsupported_tool_call"] },
  }),
  steering_injected: row("A steering message was added to the conversation.", {
    specified: { loop: "STEERING_INJECTED" },
  }),
  turn_limit: row("A limit on turns, tool rounds, tokens, cost or time was reached.", {
    specified: { loop: "TURN_LIMIT" },
  }),
  loop_detection: row("The same tool calls are repeated in a pattern.", { specified: { loop: "LOOP_DETECTION" } }),
  warning: row("A problem occurred that does not stop the run.", {
    emittedBy: [...ALL, "runner", "gateway"],
    specified: { loop: "WARNING" },
  }),
  error: row("An operation failed.", { emittedBy: [...ALL, "runner"], specified: { loop: "ERROR" } }),
  model_call_retried: row("A model call failed and will be retried.", { emittedBy: ["agent", "gateway"] }),
  model_fallback: row("A model failed; a fallback model replaces it from now on.", { emittedBy: ["agent", "gateway"] }),
  model_request_refused: row("The model gateway refused a model request of the engine.", { emittedBy: ["gateway"] }),
  usage_reported: row("Token usage and cost of one model call.", {
    emittedBy: [...ALL, "gateway"],
    specified: { adapter: ["token_usage"] },
  }),
  user_prompted: row("A question waits for the user's answer.", { emittedBy: ["runner"] }),
  user_replied: row("The user answered a question.", { emittedBy: ["runner"] }),
  approval_decided: row("A permission was requested and decided.", {
    emittedBy: ["agent", "adapter"],
    specified: { adapter: ["approval_auto_approved"] },
  }),
  subagent_started: row("A subagent started."),
  subagent_ended: row("A subagent ended."),
  checkpoint_saved: row("A checkpoint was stored.", { emittedBy: ["runner"] }),
  control_received: row("The user or host sent a message to the running engine.", {
    emittedBy: ["runner"],
  }),
  interrupt_requested: row("A stop of the run was requested.", { emittedBy: ["runner"] }),
  retry_scheduled: row("An attempt failed and will be retried.", { emittedBy: ["runner"] }),
  network_request_decided: row("The proxy of the environment decided on a network request.", { emittedBy: ["runner"] }),
  notification: row("The agent reports information about itself.", {
    emittedBy: ["agent", "custom-engine", "adapter", "runtime"],
    specified: { adapter: ["notification"] },
  }),
  malformed_output: row("The agent printed a line that cannot be parsed.", {
    emittedBy: ["adapter"],
    specified: { adapter: ["malformed"] },
  }),
  other_message: row("The agent printed a line of an unknown type.", {
    emittedBy: ["adapter"],
    specified: { adapter: ["other_message"] },
  }),
  task_status_changed: row("A task of a fan-out started or ended.", { emittedBy: ["runtime"] }),
};

/** Returns true if a text is an event type. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TABLE, text);
}

/** All event types, in table order. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_TABLE).filter(isEventType);
