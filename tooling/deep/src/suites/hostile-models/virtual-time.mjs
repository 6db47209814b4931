// @ts-check

/** Number of event loop turns in which a client reads what was sent before a stall. */
const READING_TURNS = 30;
/** Advance that exceeds every limit of a call, in milliseconds. */
const STEP_MS = 200_000;
/** A whole second, the resolution of dates in headers. */
const START_MS = 1_800_000_000_000;

/** @import { Client } from "@switchyard/contracts" */

/** A clock for model calls that stands still until a server stalls, so that no case waits for a timeout. */
export class VirtualTime {
  #now = START_MS;
  /** @type {Map<object, { callback: () => void, dueAt: number }>} */
  #timers = new Map();
  /** Number of the latest call: time passes for the stalled call, not for the next one. */
  #call = 0;

  /** @type {() => number} */
  now = () => this.#now;

  /** @type {(callback: () => void, delayMs: number) => () => void} */
  schedule = (callback, delayMs) => {
    const timer = {};
    this.#timers.set(timer, { callback, dueAt: this.#now + delayMs });
    return () => void this.#timers.delete(timer);
  };

  /**
   * Wraps a client and counts its calls.
   * @param {Client} client
   * @returns {Client}
   */
  timed(client) {
    const time = this;
    return {
      complete(request) {
        time.#call += 1;
        return client.complete(request);
      },
      async *stream(request) {
        time.#call += 1;
        yield* client.stream(request);
      },
      close: () => client.close(),
    };
  }

  /** Advances the time until the client has closed the stalled connection. @type {(left: AbortSignal) => void} */
  passUntil = (left) => this.#wait(left, this.#call, READING_TURNS);

  /**
   * Lets the client read first: the wait for a stalled server starts when all sent data was read.
   * @param {AbortSignal} left
   * @param {number} call
   * @param {number} turns
   * @returns {void}
   */
  #wait(left, call, turns) {
    if (turns === 0) this.#pass(left, call);
    else setImmediate(() => this.#wait(left, call, turns - 1));
  }

  /**
   * @param {AbortSignal} left
   * @param {number} call
   * @returns {void}
   */
  #pass(left, call) {
    if (left.aborted || call !== this.#call) return;
    this.#now += STEP_MS;
    for (const [timer, { callback, dueAt }] of [...this.#timers]) {
      if (dueAt > this.#now || !this.#timers.delete(timer)) continue;
      callback();
    }
    setImmediate(() => this.#pass(left, call));
  }
}
