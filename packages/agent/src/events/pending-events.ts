import type { SessionEvent } from "./session-event.ts";

/** Number of waiting events beyond which consecutive events with pieces of the same text are joined. */
const JOIN_BEYOND = 32_768;
/** Minimum number of consumed entries at the front of the list before they are removed. */
const CUT_BEYOND = 1_024;

/** Joins two consecutive events with pieces of the same text. `undefined` if they cannot be joined. */
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
 * Events that wait to be consumed, in order, without losses. Beyond 32,768 events, consecutive pieces of the same text
 * are joined. The list therefore never becomes larger than the conversation. See loop: §2.9.
 */
export class PendingEvents {
  #events: SessionEvent[] = [];
  #first = 0;

  /** Number of waiting events. */
  get size(): number {
    return this.#events.length - this.#first;
  }

  /** Adds an event at the end. */
  push(event: SessionEvent): void {
    const last = this.size >= JOIN_BEYOND ? this.#events.at(-1) : undefined;
    const both = last === undefined ? undefined : joined(last, event);
    if (both === undefined) this.#events.push(event);
    else this.#events[this.#events.length - 1] = both;
  }

  /** Removes and returns the first event. `undefined` if there is none. */
  shift(): SessionEvent | undefined {
    const event = this.#events[this.#first];
    if (event === undefined) return undefined;
    this.#first += 1;
    if (this.#first === this.#events.length) this.clear();
    else if (this.#first >= CUT_BEYOND && this.#first * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return event;
  }

  /** Removes all events. */
  clear(): void {
    this.#events = [];
    this.#first = 0;
  }
}
