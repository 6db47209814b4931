import type { AgentEvent, TurnExitReason, TurnResult } from "@switchyard/contracts";
import type { ConversationState } from "./conversation-state.ts";
import type { CurrentSession } from "./current-session.ts";
import type { EventPublisher } from "./event-publisher.ts";
import { createTurnTranscript } from "./turn-transcript.ts";
import type { UsageReporter } from "./usage-reporter.ts";

/** What the turns of a run share. */
export interface TurnPlace {
  readonly session: Pick<CurrentSession, "inlet">;
  readonly events: EventPublisher;
  readonly usage: UsageReporter;
  /** Cancels a turn: the run was stopped, or its budget is used up. */
  readonly signal: AbortSignal;
  /** Most turns of the model. */
  readonly maxTurns: number | undefined;
  /** Keeps a state. */
  readonly keep: (state: ConversationState) => Promise<void>;
}

/** A turn that is over. */
export interface FinishedTurn {
  readonly result: TurnResult;
  /** How far the run is now. */
  readonly state: ConversationState;
}

const OUTCOMES: Readonly<Record<TurnExitReason, "completed" | "failed" | "cancelled" | "input_required">> = {
  turn_completed: "completed",
  turn_failed: "failed",
  turn_cancelled: "cancelled",
  turn_input_required: "input_required",
};

/** Events that only an agent in a session tells. */
const WORK: ReadonlySet<string> = new Set(["assistant_text", "tool_started"]);

/**
 * Runs the next turn and tells it. The state is kept before it begins, and again as soon as the id of the agent's
 * session is known, by which a later attempt goes on.
 */
export async function runTurn(place: TurnPlace, state: ConversationState): Promise<FinishedTurn> {
  const { session, events, usage, signal, keep, maxTurns } = place;
  const [prompt = "", ...later] = state.prompts;
  const running: ConversationState = { ...state, isRunning: true };
  await keep(running);
  events.publish("user_input", { content: prompt });
  const transcript = createTurnTranscript(state.turns + 1, prompt);
  let kept: Promise<void> = Promise.resolve();
  let isKnown = false;
  const onEvent = (event: AgentEvent): void => {
    events.tell(event);
    transcript.add(event);
    if (event.usage !== undefined) usage.take(event.usage);
    const { type, sessionId = "" } = event;
    isKnown ||= WORK.has(type) || (type === "session_started" && sessionId !== "");
    if (type === "session_started" && sessionId !== "") kept = kept.then(() => keep({ ...running, sessionId }));
  };
  const started = performance.now();
  const result = await session.inlet.runTurn({ prompt, onEvent, signal, maxTurns });
  if (result.usageMeasured) usage.take(result.usage);
  await kept;
  tellEnd(events, result);
  await events.settled();
  const used = usage.takeTurn();
  const isUnfinished = result.exitReason === "turn_failed" || result.exitReason === "turn_cancelled";
  const done: ConversationState = {
    sessionId: sessionAfter(state, result, isUnfinished && !isKnown),
    // What was not done is still to be said: the next attempt goes on with it.
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

/** A session that the agent never began is none to go on with: the next attempt begins a new one. */
function sessionAfter(before: ConversationState, result: TurnResult, isUnknown: boolean): string {
  // The one that the host names is its word.
  if (isUnknown) return before.turns === 0 ? before.sessionId : "";
  return result.sessionId === "" ? before.sessionId : result.sessionId;
}

function tellEnd(events: EventPublisher, { exitReason, error }: TurnResult): void {
  const outcome = OUTCOMES[exitReason];
  events.publish("processing_end", { outcome, ...(error === undefined ? {} : { error: error.toWire() }) });
}
