import { EngineError, type StepPayload, type WireError } from "@switchyard/contracts";
import type { SessionEvent } from "../events/session-event.ts";

/** Start or end of a step. */
export interface StepEvent {
  readonly type: "step_start" | "step_complete" | "step_error";
  readonly data: StepPayload;
}

/** Shared empty result, because most events start and end no step. */
const NO_STEPS: readonly StepEvent[] = [];

/**
 * Returns the name of a step, such as `agent.iter3`. Events that belong to the step have this name in the field
 * `actor`. See engine: subjects.
 */
export function nameOfStep(agentId: string, number: number): string {
  return `${agentId}.iter${number}`;
}

/**
 * Detects the steps in a session's events: a model response with the tool calls that it requests is one step. Contract:
 * every started step ends exactly once, completed or failed. See engine: subjects.
 */
export class StepTracker {
  readonly #agentId: string;
  #count: number;
  // Name of the last started step. Events during this step have it in the field `actor`.
  #step: string;
  #isOpen: boolean;
  /** Whether the next model response is a retry of a failed response, which belongs to the same step. */
  #isRetried = false;
  #error: WireError | undefined;

  /**
   * Creates a tracker for the steps of an agent. If an earlier attempt to execute the run ended while the agent was
   * working, its last step is still open.
   */
  constructor(agentId: string, begun = 0, wasWorking = true) {
    this.#agentId = agentId;
    this.#count = begun;
    this.#step = nameOfStep(agentId, begun);
    this.#isOpen = begun > 0 && wasWorking;
  }

  /**
   * Returns the value for the field `actor` of an event: the name of the open step, otherwise the agent's id.
   * `session_start` always has the agent's id.
   */
  actorOf(event: SessionEvent): string {
    return this.#isOpen && event.type !== "session_start" ? this.#step : this.#agentId;
  }

  /** Returns the step events that precede an event, in order. */
  take(event: SessionEvent): readonly StepEvent[] {
    if (event.type === "error" && this.#isOpen) this.#error = event.data;
    if (event.type === "assistant_text_end") this.#isRetried = event.data.finish_reason === "retried";
    const isStart = event.type === "assistant_text_start";
    const isEnd = isStart || event.type === "processing_end" || event.type === "session_end";
    if (!isEnd || (isStart && this.#isRetried && this.#isOpen)) return NO_STEPS;
    this.#isRetried = false;
    const events: StepEvent[] = [];
    if (this.#isOpen) events.push(this.#end(event));
    if (isStart) events.push(this.#begin());
    return events;
  }

  #begin(): StepEvent {
    this.#count += 1;
    this.#step = nameOfStep(this.#agentId, this.#count);
    this.#isOpen = true;
    return { type: "step_start", data: { step: this.#step } };
  }

  #end(event: SessionEvent): StepEvent {
    const step = this.#step;
    const error = this.#error ?? failureIn(event);
    this.#isOpen = false;
    this.#error = undefined;
    return error === undefined
      ? { type: "step_complete", data: { step } }
      : { type: "step_error", data: { step, error } };
  }
}

/** Returns the failure that an event reports for its step. A session that closes during a step was stopped. */
function failureIn(event: SessionEvent): WireError | undefined {
  if (event.type === "processing_end") return event.data.error;
  return event.type === "session_end" ? new EngineError("run.cancelled").toWire() : undefined;
}
