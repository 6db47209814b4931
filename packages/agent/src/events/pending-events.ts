import type { SessionEvent } from "./session-event.ts";

/** Events that wait before neighbouring increments are joined. */
const JOIN_BEYOND = 32_768;
/** Taken events that are kept at the front of the list before it is cut. */
const CUT_BEYOND = 1_024;

/** Two neighbouring increments of one text as one; nothing where they are of different texts, or no increments. */
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
 * Events that wait to be taken, in order, none lost. Beyond 32,768 of them neighbouring increments of one text are
 * joined into one, so that what waits stays bounded by the size of the conversation. loop: §2.9.
 */
export class PendingEvents {
  #events: SessionEvent[] = [];
  #first = 0;

  /** How many wait. */
  get size(): number {
    return this.#events.length - this.#first;
  }

  /** Adds one behind all others. */
  push(event: SessionEvent): void {
    const last = this.size >= JOIN_BEYOND ? this.#events.at(-1) : undefined;
    const both = last === undefined ? undefined : joined(last, event);
    if (both === undefined) this.#events.push(event);
    else this.#events[this.#events.length - 1] = both;
  }

  /** Takes the first; nothing where none waits. */
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

  /** Forgets all of them. */
  clear(): void {
    this.#events = [];
    this.#first = 0;
  }
}
