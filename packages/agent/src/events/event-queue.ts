import { PendingEvents } from "./pending-events.ts";
import type { SessionEvent, SessionEvents } from "./session-event.ts";

/**
 * Queue of events for one consumer, in order, without losses. Beyond 32,768 waiting events, consecutive pieces of the
 * same text are joined. The queue therefore never becomes larger than the conversation. A consumer that stops iterating
 * receives no more. See loop: §2.9.
 */
export class EventQueue implements SessionEvents {
  readonly #events = new PendingEvents();
  #ended = false;
  #waiting: ((result: IteratorResult<SessionEvent>) => void)[] = [];
  #hasLeft = false;
  #isRead = false;
  #caughtUp: { readonly target: number; readonly resolve: () => void }[] = [];
  #handedOut = 0;
  /** Created once, because a function per awaited event would be expensive. */
  readonly #wait = (resolve: (result: IteratorResult<SessionEvent>) => void): void => void this.#waiting.push(resolve);

  /** Adds an event. Has no effect after the end. */
  push(event: SessionEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      this.#handedOut += 1;
      waiting({ value: event, done: false });
      return;
    }
    this.#events.push(event);
  }

  /** Ends the iteration after the last event. */
  end(): void {
    this.#ended = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }

  /** Resolves when the reader has requested the next event after all current ones, or has stopped reading. */
  caughtUp(): Promise<void> {
    if (this.#waiting.length > 0 || this.#hasLeft) return Promise.resolve();
    // Waits only for events that are already queued, because new events may arrive continuously.
    const target = this.#handedOut + this.#events.size;
    return new Promise((resolve) => this.#caughtUp.push({ target, resolve }));
  }

  /** Whether there is a reader that has not requested the next event yet. */
  get isBehind(): boolean {
    return this.#isRead && !this.#hasLeft && this.#waiting.length === 0;
  }

  /** Returns an iterator over the queued events. Several iterators share the events. */
  [Symbol.asyncIterator](): AsyncIterator<SessionEvent> {
    return {
      next: () => this.#next(),
      return: () => {
        this.end();
        this.#events.clear();
        this.#hasLeft = true;
        this.#resolveCaughtUp(Number.POSITIVE_INFINITY);
        return Promise.resolve({ value: undefined, done: true });
      },
    };
  }

  #next(): Promise<IteratorResult<SessionEvent>> {
    this.#isRead = true;
    if (this.#caughtUp.length > 0) this.#resolveCaughtUp(this.#handedOut);
    const event = this.#events.shift();
    if (event === undefined) {
      if (this.#ended) {
        this.#hasLeft = true;
        return Promise.resolve({ value: undefined, done: true });
      }
      return new Promise(this.#wait);
    }
    this.#handedOut += 1;
    return Promise.resolve({ value: event, done: false });
  }

  #resolveCaughtUp(handedOut: number): void {
    const waiting = this.#caughtUp;
    this.#caughtUp = waiting.filter(({ target }) => target > handedOut);
    for (const { target, resolve } of waiting) if (target <= handedOut) resolve();
  }
}
