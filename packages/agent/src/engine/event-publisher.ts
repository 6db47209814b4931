import type { EnvelopeOptions } from "@switchyard/engine";
import { PendingEvents } from "../events/pending-events.ts";
import type { SessionEvent } from "../events/session-event.ts";
import type { FamilySteps } from "./family-steps.ts";
import { idSeries } from "./id-series.ts";
import { marksOf, publishEvent } from "./publish-event.ts";
import type { SessionRun } from "./session-run.ts";
import type { StepEvent } from "./step-tracker.ts";

/** Options for `EventPublisher`. */
export interface EventPublisherOptions {
  /** Step trackers of the agent and its subagents. */
  readonly steps: FamilySteps;
  /**
   * Called with each event after the host received the event. An event that the function returns is published as well.
   * If the function throws, it is not called again.
   */
  readonly onPublished: (event: SessionEvent) => SessionEvent | undefined;
  /** Called once with the error that `onPublished` threw. */
  readonly onFailure: (error: unknown) => void;
}

/** Pending call of `settled`, which waits until all events that were queued at the time of the call are published. */
interface Settling {
  readonly target: number;
  readonly resolve: () => void;
}

/**
 * Publishes the events of a session, with the start and end of steps, one at a time: the next event is published after
 * the host received the previous one. If nothing is being published, the host receives an event before `take` returns.
 * Other events are queued. If more than 32,768 events are queued, consecutive pieces of one text are joined.
 */
export class EventPublisher {
  readonly #job: SessionRun;
  readonly #options: EventPublisherOptions;
  // Fields that the published envelopes have in common (actor, run, attempt). Cached, because consecutive events
  // usually have the same actor.
  #marks: EnvelopeOptions;
  readonly #waiting = new PendingEvents();
  // Event that is being published.
  #event: SessionEvent | undefined;
  // Step events that precede the current event, and how many of them were published.
  #steps: readonly StepEvent[] = [];
  #stepsBegun = 0;
  #isPublishing = false;
  #hasFailed = false;
  #published = 0;
  #settling: Settling[] = [];

  /** Creates a publisher with an empty queue. */
  constructor(job: SessionRun, options: EventPublisherOptions) {
    this.#job = job;
    this.#options = options;
    this.#marks = marksOf(job, { actor: job.agentId, createId: idSeries(job.createId()) });
  }

  /** Adds the next event of the session. Used as a listener. */
  readonly take = (event: SessionEvent): void => {
    if (this.#isPublishing) {
      this.#waiting.push(event);
      return;
    }
    this.#isPublishing = true;
    this.#begin(event);
  };

  /** Resolves when the host has received all events so far. `undefined` if the host has already received them. */
  settled(): Promise<void> | undefined {
    if (!this.#isPublishing) return undefined;
    // Waits only for events that are already queued, because new events may arrive continuously.
    const target = this.#published + 1 + this.#waiting.size;
    return new Promise((resolve) => this.#settling.push({ target, resolve }));
  }

  /** Starts to publish an event, preceded by the step events that it causes. */
  #begin(event: SessionEvent): void {
    this.#event = event;
    this.#steps = this.#options.steps.take(event);
    this.#stepsBegun = 0;
    this.#publishNext();
  }

  /**
   * Publishes the next event. Uses a callback, because an async function would create promises for thousands of events.
   */
  readonly #publishNext = (): void => {
    const step = this.#steps[this.#stepsBegun];
    if (step !== undefined) {
      this.#stepsBegun += 1;
      const published = publishEvent(this.#job, step, this.#marksOf(step.data.step));
      Promise.resolve(published).then(this.#publishNext, this.#publishNext);
    } else if (this.#event !== undefined) {
      Promise.resolve(this.#publish(this.#event)).then(this.#onSettled, this.#onSettled);
    }
  };

  /**
   * Publishes the next event after the host received the current one or failed to receive it. The host records its
   * failures. See engine: Publisher.
   */
  readonly #onSettled = (): void => {
    let followUp: SessionEvent | undefined;
    try {
      if (this.#event !== undefined && !this.#hasFailed) followUp = this.#options.onPublished(this.#event);
    } catch (error) {
      // Publishing continues after a failure, so that the ends of open steps are published.
      this.#hasFailed = true;
      this.#options.onFailure(error);
    }
    if (followUp === undefined) this.#resume();
    else void settle(this.#publish(followUp)).then(() => this.#resume());
  };

  #resume(): void {
    this.#published += 1;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#rest();
      return;
    }
    if (this.#settling.length > 0) this.#resolveSettled(this.#published);
    this.#begin(next);
  }

  #rest(): void {
    this.#isPublishing = false;
    if (this.#settling.length > 0) this.#resolveSettled(Number.POSITIVE_INFINITY);
  }

  #publish(event: SessionEvent): Promise<void> | undefined {
    return publishEvent(this.#job, event, this.#marksOf(this.#options.steps.actorOf(event)));
  }

  #marksOf(actor: string): EnvelopeOptions {
    if (this.#marks.actor !== actor) this.#marks = marksOf(this.#job, { ...this.#marks, actor });
    return this.#marks;
  }

  #resolveSettled(published: number): void {
    const waiting = this.#settling;
    this.#settling = waiting.filter(({ target }) => target > published);
    for (const { target, resolve } of waiting) if (target <= published) resolve();
  }
}

/** Resolves when the host has received an event, or has failed to receive it. */
async function settle(published: Promise<void> | undefined): Promise<void> {
  try {
    await published;
  } catch {
    // A rejected event is ignored, because the host records the failure and the run continues.
  }
}
