import type { EnvelopeOptions } from "@switchyard/engine";
import { PendingEvents } from "../events/pending-events.ts";
import type { SessionEvent } from "../events/session-event.ts";
import type { FamilySteps } from "./family-steps.ts";
import { idSeries } from "./id-series.ts";
import { marksOf, publishEvent } from "./publish-event.ts";
import type { SessionRun } from "./session-run.ts";
import type { StepEvent } from "./step-tracker.ts";

/** What an event publisher works with. */
export interface EventPublisherOptions {
  /** The steps that go on. */
  readonly steps: FamilySteps;
  /** Told of each event when the host has it, until it throws; what it says is published as well. */
  readonly onPublished: (event: SessionEvent) => SessionEvent | undefined;
  /** Told once when that has thrown. */
  readonly onFailure: (error: unknown) => void;
}

/** Somebody who waits until everything is published that was there when they came. */
interface Settling {
  readonly behind: number;
  readonly resolve: () => void;
}

/**
 * Publishes the events of a session, with the steps that they begin and end: one after the other, each when the host
 * has the one before. While nothing else is being published an event reaches the host before `take` returns; what
 * comes faster than the host takes it waits, beyond 32,768 of them with neighbouring increments of one text joined.
 */
export class EventPublisher {
  readonly #job: SessionRun;
  readonly #options: EventPublisherOptions;
  // Those of the last event: most events are about the actor of the one before.
  #marks: EnvelopeOptions;
  readonly #waiting = new PendingEvents();
  // The one that is being published.
  #event: SessionEvent | undefined;
  // The steps that come before it, and how many of them were handed over.
  #steps: readonly StepEvent[] = [];
  #stepsBegun = 0;
  #isPublishing = false;
  #hasFailed = false;
  #published = 0;
  #settling: Settling[] = [];

  /** Makes a publisher that has got nothing yet. */
  constructor(job: SessionRun, options: EventPublisherOptions) {
    this.#job = job;
    this.#options = options;
    this.#marks = marksOf(job, { actor: job.agentId, createId: idSeries(job.createId()) });
  }

  /** Takes the next event of the session; a listener of it. */
  readonly take = (event: SessionEvent): void => {
    if (this.#isPublishing) {
      this.#waiting.push(event);
      return;
    }
    this.#isPublishing = true;
    this.#begin(event);
  };

  /** Resolves when the host has every event so far; nothing where it has them already. */
  settled(): Promise<void> | undefined {
    if (!this.#isPublishing) return undefined;
    // Only what is there now: others may go on speaking all the time.
    const behind = this.#published + 1 + this.#waiting.size;
    return new Promise((resolve) => this.#settling.push({ behind, resolve }));
  }

  /** Begins to publish an event, behind the steps that it ends and begins. */
  #begin(event: SessionEvent): void {
    this.#event = event;
    this.#steps = this.#options.steps.take(event);
    this.#stepsBegun = 0;
    this.#publishNext();
  }

  /** Called back, not awaited in a function: there are thousands of events, and this is a promise or two less for each. */
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

  /** The host has the event, or has not taken it, which is its to record. engine: Publisher. */
  readonly #onSettled = (): void => {
    let said: SessionEvent | undefined;
    try {
      if (this.#event !== undefined && !this.#hasFailed) said = this.#options.onPublished(this.#event);
    } catch (error) {
      // What began is told to be over all the same.
      this.#hasFailed = true;
      this.#options.onFailure(error);
    }
    if (said === undefined) this.#resume();
    else void settle(this.#publish(said)).then(() => this.#resume());
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
    this.#settling = waiting.filter(({ behind }) => behind > published);
    for (const { behind, resolve } of waiting) if (behind <= published) resolve();
  }
}

/** Waits until the host has an event, or has not taken it. */
async function settle(published: Promise<void> | undefined): Promise<void> {
  try {
    await published;
  } catch {
    // The run goes on.
  }
}
