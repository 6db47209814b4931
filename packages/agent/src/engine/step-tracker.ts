import { EngineError, type StepPayload, type WireError } from "@switchyard/contracts";
import type { SessionEvent } from "../events/session-event.ts";

/** The beginning or the end of a step. */
export interface StepEvent {
  readonly type: "step_start" | "step_complete" | "step_error";
  readonly data: StepPayload;
}

/** What most events bring with them. */
const NO_STEPS: readonly StepEvent[] = [];

/** Name of a step of an agent: the actor of its events. engine: subjects. */
export function nameOfStep(agentId: string, number: number): string {
  return `${agentId}.iter${number}`;
}

/**
 * Finds the steps in the events of a session: each answer of the model, with the tools it asked for, is one. Contract:
 * every step that began ends exactly once, completed or failed. engine: subjects.
 */
export class StepTracker {
  readonly #agentId: string;
  #count: number;
  // Name of the last step that began: the actor of every increment.
  #step: string;
  #isOpen: boolean;
  /** Whether the next response is another attempt at that of the open step. */
  #isRetried = false;
  #error: WireError | undefined;

  /**
   * Makes a tracker for the steps of one agent; the last of those that began in an earlier attempt is still open where
   * the agent was at work.
   */
  constructor(agentId: string, begun = 0, wasWorking = true) {
    this.#agentId = agentId;
    this.#count = begun;
    this.#step = nameOfStep(agentId, begun);
    this.#isOpen = begun > 0 && wasWorking;
  }

  /** Who an event is about: the step that is open, else the agent. The session is the agent's, whenever it begins. */
  actorOf(event: SessionEvent): string {
    return this.#isOpen && event.type !== "session_start" ? this.#step : this.#agentId;
  }

  /** The ends and beginnings of steps that an event brings with it, in order; they come before the event. */
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

/** What an event that ends a step says went wrong. A session that closes in the middle of a step was stopped. */
function failureIn(event: SessionEvent): WireError | undefined {
  if (event.type === "processing_end") return event.data.error;
  return event.type === "session_end" ? new EngineError("run.cancelled").toWire() : undefined;
}
