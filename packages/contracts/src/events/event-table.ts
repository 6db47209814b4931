import type { EventType } from "./event-payloads.ts";

/** Component that publishes an event. */
export type EventEmitter = "engine" | "agent" | "custom-engine" | "adapter" | "runtime" | "runner";

/** Kind of an event's routing subject; see `subjectOf` in the engine package. engine: subjects. */
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
  /** Kind of its routing subject. */
  readonly subject: SubjectKind;
  /** True if the event is stored and has a `seq`. Stream increments are not stored. */
  readonly persisted: boolean;
  /** Components that publish it. */
  readonly emittedBy: readonly EventEmitter[];
  /** Names of the event in the specifications. */
  readonly specified: Readonly<{ loop?: string; engine?: string; adapter?: readonly string[] }>;
  /** When it is emitted, in one sentence. */
  readonly summary: string;
}

const ALL: readonly EventEmitter[] = ["agent", "custom-engine", "adapter", "runtime"];

type Routing = Omit<EventRow, "summary">;

function row(summary: string, routing: Partial<Routing> = {}): EventRow {
  return { subject: "session", persisted: true, emittedBy: ["agent"], specified: {}, ...routing, summary };
}

/**
 * The event table: for each event its subject, whether it is stored, its publishers, and its names in the
 * specifications.
 */
export const EVENT_TABLE: Readonly<Record<EventType, EventRow>> = {
  run_start: row("The run began.", { subject: "run.start", emittedBy: ["engine"], specified: { engine: "start" } }),
  run_end: row("The run ended; the last event of an attempt.", {
    subject: "run.end",
    emittedBy: ["engine"],
    specified: { engine: "end" },
  }),
  run_status_changed: row("The state of the run changed.", { emittedBy: ["runner"] }),
  step_start: row("A step began.", { subject: "step.start", emittedBy: ALL, specified: { engine: "step.start" } }),
  step_complete: row("A step succeeded.", {
    subject: "step.complete",
    emittedBy: ALL,
    specified: { engine: "step.complete" },
  }),
  step_error: row("A step failed.", { subject: "step.error", emittedBy: ALL, specified: { engine: "step.error" } }),
  session_start: row("A session was made.", {
    emittedBy: ["agent", "adapter"],
    specified: { loop: "SESSION_START", adapter: ["session_started"] },
  }),
  session_replaced: row("The agent does not have the session it was to resume, so it starts a new one.", {
    emittedBy: ["adapter"],
  }),
  session_end: row("The session was closed.", { emittedBy: ["agent", "adapter"], specified: { loop: "SESSION_END" } }),
  user_input: row("The user submitted input.", { emittedBy: ALL, specified: { loop: "USER_INPUT" } }),
  processing_end: row("A processing cycle ended; the session is idle again.", {
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
  assistant_text_start: row("The model began to answer.", { specified: { loop: "ASSISTANT_TEXT_START" } }),
  assistant_text_delta: row("An increment of the model's text.", {
    subject: "stream.delta",
    persisted: false,
    emittedBy: ALL,
    specified: { loop: "ASSISTANT_TEXT_DELTA", engine: "token" },
  }),
  assistant_text_end: row("The model finished its answer; carries the whole text.", {
    emittedBy: ALL,
    specified: { loop: "ASSISTANT_TEXT_END" },
  }),
  reasoning_delta: row("An increment of the model's reasoning.", { persisted: false, emittedBy: ["agent", "adapter"] }),
  tool_call_start: row("A tool call began.", {
    subject: "stream.delta",
    emittedBy: ["agent", "adapter"],
    specified: { loop: "TOOL_CALL_START", engine: "tool_call" },
  }),
  tool_call_output_delta: row("A running tool printed something.", {
    persisted: false,
    emittedBy: ["agent", "adapter"],
    specified: { loop: "TOOL_CALL_OUTPUT_DELTA" },
  }),
  stream_delta: row("An increment of a kind that has no event of its own.", {
    subject: "stream.delta",
    persisted: false,
    emittedBy: ALL,
  }),
  tool_call_end: row("A tool call ended; carries the whole output.", {
    subject: "stream.delta",
    emittedBy: ["agent", "adapter"],
    specified: { loop: "TOOL_CALL_END", engine: "tool_result", adapter: ["tool_result"] },
  }),
  tool_call_refused: row("The agent asked for a tool that the host does not offer.", {
    emittedBy: ["adapter"],
    specified: { adapter: ["unsupported_tool_call"] },
  }),
  steering_injected: row("A steering message was added to the conversation.", {
    specified: { loop: "STEERING_INJECTED" },
  }),
  turn_limit: row("A limit on turns, tool rounds, tokens, cost or time was reached.", {
    specified: { loop: "TURN_LIMIT" },
  }),
  loop_detection: row("The tool calls repeat a pattern.", { specified: { loop: "LOOP_DETECTION" } }),
  warning: row("Something is not as it should be; the run goes on.", {
    emittedBy: [...ALL, "runner"],
    specified: { loop: "WARNING" },
  }),
  error: row("Something failed.", { emittedBy: [...ALL, "runner"], specified: { loop: "ERROR" } }),
  model_call_retried: row("A model call failed and is made again."),
  model_fallback: row("A model failed, and a fallback model is called from now on."),
  usage_reported: row("Tokens and cost of one model call.", {
    emittedBy: ALL,
    specified: { adapter: ["token_usage"] },
  }),
  user_prompted: row("A question waits for the user.", { emittedBy: ["runner"] }),
  user_replied: row("The user answered a question.", { emittedBy: ["runner"] }),
  approval_decided: row("A permission was asked for and decided.", {
    emittedBy: ["agent", "adapter"],
    specified: { adapter: ["approval_auto_approved"] },
  }),
  subagent_started: row("A child session began."),
  subagent_ended: row("A child session ended."),
  checkpoint_saved: row("A checkpoint was kept.", { emittedBy: ["runner"] }),
  control_received: row("A person said something to the running engine; kept until the engine has it.", {
    emittedBy: ["runner"],
  }),
  interrupt_requested: row("The run was asked to stop.", { emittedBy: ["runner"] }),
  retry_scheduled: row("An attempt failed, and the next one is on its way.", { emittedBy: ["runner"] }),
  notification: row("The agent says something about itself.", {
    emittedBy: ["agent", "custom-engine", "adapter", "runtime"],
    specified: { adapter: ["notification"] },
  }),
  malformed_output: row("The agent printed a line that cannot be understood.", {
    emittedBy: ["adapter"],
    specified: { adapter: ["malformed"] },
  }),
  other_message: row("The agent printed a line of a kind that has no meaning here.", {
    emittedBy: ["adapter"],
    specified: { adapter: ["other_message"] },
  }),
  task_status_changed: row("A task of a fan-out began or ended.", { emittedBy: ["runtime"] }),
};

/** Returns true if a text is an event type. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TABLE, text);
}

/** All event types, in table order. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_TABLE).filter(isEventType);
