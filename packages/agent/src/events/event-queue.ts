import { PendingEvents } from "./pending-events.ts";
import type { SessionEvent, SessionEvents } from "./session-event.ts";

/**
 * Events for one consumer, in order, none lost: what comes faster than it is read waits. Beyond 32,768 waiting
 * events neighbouring increments of one text are joined into one, so that what waits stays bounded by the size of
 * the conversation. A consumer that leaves gets no more. loop: §2.9.
 */
export class EventQueue implements SessionEvents {
  readonly #events = new PendingEvents();
  #ended = false;
  #waiting: ((result: IteratorResult<SessionEvent>) => void)[] = [];
  #hasLeft = false;
  #isRead = false;
  #caughtUp: { readonly behind: number; readonly resolve: () => void }[] = [];
  #handedOut = 0;
  /** Made once, not for each event that is waited for. */
  readonly #wait = (resolve: (result: IteratorResult<SessionEvent>) => void): void => void this.#waiting.push(resolve);

  /** Adds an event; nothing happens after the end. */
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

  /** Ends the iteration behind the last event. */
  end(): void {
    this.#ended = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }

  /** Resolves when the reader has come back for more behind everything that is there, or has left. */
  caughtUp(): Promise<void> {
    if (this.#waiting.length > 0 || this.#hasLeft) return Promise.resolve();
    // Only what is there now: others may go on speaking all the time.
    const behind = this.#handedOut + this.#events.size;
    return new Promise((resolve) => this.#caughtUp.push({ behind, resolve }));
  }

  /** Whether somebody reads who has not come back for more yet. */
  get isBehind(): boolean {
    return this.#isRead && !this.#hasLeft && this.#waiting.length === 0;
  }

  /** Reads on; a second iterator shares the events with the first. */
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
    this.#caughtUp = waiting.filter(({ behind }) => behind > handedOut);
    for (const { behind, resolve } of waiting) if (behind <= handedOut) resolve();
  }
}
