import type { SessionEvent, SessionEvents } from "./session-event.ts";

/** Events that wait before neighbouring increments are joined. */
const JOIN_BEYOND = 32_768;
/** Taken events that are kept at the front of the list before it is cut. */
const CUT_BEYOND = 1_024;

function joined(last: SessionEvent, next: SessionEvent): SessionEvent | undefined {
  if (last.agentId !== next.agentId) return undefined;
  if (last.type === "assistant_text_delta" && next.type === "assistant_text_delta") {
    return { ...last, data: { type: "token", content: last.data.content + next.data.content } };
  }
  if (last.type === "reasoning_delta" && next.type === "reasoning_delta") {
    return { ...last, data: { content: last.data.content + next.data.content } };
  }
  if (last.type === "tool_call_output_delta" && next.type === "tool_call_output_delta") {
    if (last.data.tool_call_id !== next.data.tool_call_id) return undefined;
    return { ...last, data: { ...last.data, content: last.data.content + next.data.content } };
  }
  return undefined;
}

/**
 * Events for one consumer, in order, none lost: what comes faster than it is read waits. Beyond 32,768 waiting
 * events neighbouring increments of one text are joined into one, so that what waits stays bounded by the size of
 * the conversation. A consumer that leaves gets no more. loop: §2.9.
 */
export class EventQueue implements SessionEvents {
  #events: SessionEvent[] = [];
  #first = 0;
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
    if (this.#events.length - this.#first >= JOIN_BEYOND) {
      const last = this.#events.at(-1);
      const both = last === undefined ? undefined : joined(last, event);
      if (both !== undefined) {
        this.#events[this.#events.length - 1] = both;
        return;
      }
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
    const behind = this.#handedOut + this.#events.length - this.#first;
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
        this.#events = [];
        this.#first = 0;
        this.#hasLeft = true;
        this.#tellCaughtUp(Number.POSITIVE_INFINITY);
        return Promise.resolve({ value: undefined, done: true });
      },
    };
  }

  #next(): Promise<IteratorResult<SessionEvent>> {
    this.#isRead = true;
    const event = this.#events[this.#first];
    if (this.#caughtUp.length > 0) this.#tellCaughtUp(this.#handedOut);
    if (event === undefined) {
      if (this.#ended) {
        this.#hasLeft = true;
        return Promise.resolve({ value: undefined, done: true });
      }
      return new Promise(this.#wait);
    }
    this.#first += 1;
    this.#handedOut += 1;
    if (this.#first >= CUT_BEYOND && this.#first * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return Promise.resolve({ value: event, done: false });
  }

  #tellCaughtUp(handedOut: number): void {
    const waiting = this.#caughtUp;
    this.#caughtUp = waiting.filter(({ behind }) => behind > handedOut);
    for (const { behind, resolve } of waiting) if (behind <= handedOut) resolve();
  }
}
