import type { AgentEvent, RunTurnOptions, TurnExitReason, TurnResult } from "@switchyard/contracts";
import type { ConversationState } from "./conversation-state.ts";
import type { CurrentSession } from "./current-session.ts";
import type { EventPublisher } from "./event-publisher.ts";
import { createTurnTranscript } from "./turn-transcript.ts";
import type { UsageReporter } from "./usage-reporter.ts";

/** State shared by the turns of a run. */
export interface TurnContext {
  readonly session: Pick<CurrentSession, "turnRunner">;
  readonly events: EventPublisher;
  readonly usage: UsageReporter;
  /** Cancels the turn when the run is stopped or its budget is used up. */
  readonly signal: AbortSignal;
  /** Maximum number of model turns. */
  readonly maxTurns: number | undefined;
  /**
   * Asks the user for a permission that the agent requests. `undefined`: all such requests are denied without asking.
   */
  readonly askPermission: RunTurnOptions["askPermission"];
  /** Stores a state. */
  readonly storeState: (state: ConversationState) => Promise<void>;
}

/** A finished turn. */
export interface FinishedTurn {
  readonly result: TurnResult;
  /** State of the run after the turn. */
  readonly state: ConversationState;
}

const OUTCOMES: Readonly<Record<TurnExitReason, "completed" | "failed" | "cancelled" | "input_required">> = {
  turn_completed: "completed",
  turn_failed: "failed",
  turn_cancelled: "cancelled",
  turn_input_required: "input_required",
};

/** Types of events that prove that the agent has created its session, so a later attempt can resume the session. */
const WORK: ReadonlySet<string> = new Set(["assistant_text", "tool_started"]);

/**
 * Runs the next turn and publishes its events. The state is stored before the turn starts, and again when the agent's
 * session id is known, so that a later attempt can resume.
 */
export async function runTurn(context: TurnContext, state: ConversationState): Promise<FinishedTurn> {
  const { session, events, usage, signal, storeState, maxTurns, askPermission } = context;
  const [prompt = "", ...later] = state.prompts;
  const running: ConversationState = { ...state, isRunning: true };
  await storeState(running);
  events.publish("user_input", { content: prompt });
  const transcript = createTurnTranscript(state.turns + 1, prompt);
  let stored: Promise<void> = Promise.resolve();
  let isKnown = false;
  const onEvent = (event: AgentEvent): void => {
    events.emit(event);
    transcript.add(event);
    if (event.usage !== undefined) usage.take(event.usage);
    const { type, sessionId = "" } = event;
    isKnown ||= WORK.has(type) || (type === "session_started" && sessionId !== "");
    if (type === "session_started" && sessionId !== "")
      stored = stored.then(() => storeState({ ...running, sessionId }));
  };
  const started = performance.now();
  const result = await session.turnRunner.runTurn({ prompt, onEvent, signal, maxTurns, askPermission });
  if (result.usageMeasured) usage.take(result.usage);
  await stored;
  publishEnd(events, result);
  await events.settled();
  const used = usage.takeTurn();
  const isUnfinished = result.exitReason === "turn_failed" || result.exitReason === "turn_cancelled";
  const done: ConversationState = {
    sessionId: sessionAfter(state, result, isUnfinished && !isKnown),
    // Prompts that are not completed stay in the state, so that the next attempt sends them.
    ...{ turns: state.turns + 1, isRunning: isUnfinished, prompts: isUnfinished ? state.prompts : later },
    transcript: [...state.transcript, ...transcript.entries()],
    inputTokens: state.inputTokens + used.inputTokens,
    outputTokens: state.outputTokens + used.outputTokens,
    durationMs: state.durationMs + Math.round(performance.now() - started),
    finalMessage: result.finalMessage === "" ? state.finalMessage : result.finalMessage,
    model: result.model ?? state.model,
  };
  return { result, state: done };
}

/**
 * Returns the session id to store after a turn. If the turn failed before the agent reported a session, the next
 * attempt starts a new one.
 */
function sessionAfter(before: ConversationState, result: TurnResult, isUnknown: boolean): string {
  // If no turn has completed, the session id that the host provided is used again.
  if (isUnknown) return before.turns === 0 ? before.sessionId : "";
  return result.sessionId === "" ? before.sessionId : result.sessionId;
}

function publishEnd(events: EventPublisher, { exitReason, error }: TurnResult): void {
  const outcome = OUTCOMES[exitReason];
  events.publish("processing_end", { outcome, ...(error === undefined ? {} : { error: error.toWire() }) });
}
