import type { AgentAdapter, AgentEvent, AgentSession, RunTurnOptions, TurnResult } from "@switchyard/contracts";
import { createTimeout } from "../launch/watch-process.ts";

/** Maximum wait for the last event of a turn after `runTurn` of the adapter has returned, in milliseconds. */
const LAST_EVENT_MS = 5_000;

const LAST: ReadonlySet<string> = new Set([
  "turn_completed",
  "turn_failed",
  "turn_cancelled",
  "turn_input_required",
  "turn_ended_with_error",
]);

/** Runs the turns of one session and receives its events, from callbacks or a stream. */
export interface TurnRunner {
  /** Runs a turn. `onEvent` is called with each event, and never after this call has resolved. */
  runTurn(options: RunTurnOptions): Promise<TurnResult>;
}

/** A running turn that receives events. */
class Listening {
  readonly #onEvent: (event: AgentEvent) => void;
  #isOver = false;
  #resolveLastEvent: () => void = () => {};
  readonly last: Promise<void>;

  constructor(onEvent: (event: AgentEvent) => void) {
    this.#onEvent = onEvent;
    this.last = new Promise((resolve) => {
      this.#resolveLastEvent = resolve;
    });
  }

  take(event: AgentEvent): void {
    if (this.#isOver) return;
    this.#onEvent(event);
    if (LAST.has(event.type)) this.#resolveLastEvent();
  }

  end(): void {
    this.#isOver = true;
  }
}

/**
 * Creates the turn runner of a session. If the adapter has an event stream, reading of the stream starts immediately.
 * See agent-adapter: delivery modes.
 */
export function createTurnRunner(adapter: AgentAdapter, session: AgentSession): TurnRunner {
  const stream = adapter.eventStream?.(session);
  let listening: Listening | undefined;
  async function read(events: AsyncIterable<AgentEvent>): Promise<void> {
    for await (const event of events) listening?.take(event);
  }
  // A failure of the event stream is ignored. The results of the turns still report how the turns ended.
  if (stream !== undefined) void read(stream).catch(() => {});
  return {
    async runTurn(options) {
      const current = new Listening(options.onEvent);
      listening = current;
      try {
        const onEvent = stream === undefined ? (event: AgentEvent) => current.take(event) : () => {};
        const result = await adapter.runTurn(session, { ...options, onEvent });
        if (stream !== undefined) {
          const timeout = createTimeout(LAST_EVENT_MS);
          await Promise.race([current.last, timeout.over]);
          timeout.cancel();
        }
        return result;
      } finally {
        current.end();
      }
    },
  };
}
