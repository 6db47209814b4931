import type { AgentAdapter, AgentEvent, AgentSession, RunTurnOptions, TurnResult } from "@switchyard/contracts";
import { patienceOf } from "../launch/watch-process.ts";

/** Milliseconds that the last event of a turn is waited for once the turn has returned. */
const LAST_EVENT_MS = 5_000;

const LAST: ReadonlySet<string> = new Set([
  "turn_completed",
  "turn_failed",
  "turn_cancelled",
  "turn_input_required",
  "turn_ended_with_error",
]);

/** Runs the turns of one session and takes its events, whichever way the adapter delivers them. */
export interface EventInlet {
  /** Runs a turn; `onEvent` is called for each event of it, and never once this has resolved. */
  runTurn(options: RunTurnOptions): Promise<TurnResult>;
}

/** One turn that is listened to. */
class Listening {
  readonly #onEvent: (event: AgentEvent) => void;
  #isOver = false;
  #heardLast: () => void = () => {};
  readonly last: Promise<void>;

  constructor(onEvent: (event: AgentEvent) => void) {
    this.#onEvent = onEvent;
    this.last = new Promise((resolve) => {
      this.#heardLast = resolve;
    });
  }

  take(event: AgentEvent): void {
    if (this.#isOver) return;
    this.#onEvent(event);
    if (LAST.has(event.type)) this.#heardLast();
  }

  end(): void {
    this.#isOver = true;
  }
}

/** Makes the inlet of a session; the stream of an adapter that has one is read from now on. agent-adapter: delivery modes. */
export function createEventInlet(adapter: AgentAdapter, session: AgentSession): EventInlet {
  const stream = adapter.eventStream?.(session);
  let listening: Listening | undefined;
  async function read(events: AsyncIterable<AgentEvent>): Promise<void> {
    for await (const event of events) listening?.take(event);
  }
  // A stream that breaks off tells nothing more; how the turns end is told by their results.
  if (stream !== undefined) void read(stream).catch(() => {});
  return {
    async runTurn(options) {
      const current = new Listening(options.onEvent);
      listening = current;
      try {
        const onEvent = stream === undefined ? (event: AgentEvent) => current.take(event) : () => {};
        const result = await adapter.runTurn(session, { ...options, onEvent });
        if (stream !== undefined) {
          const patience = patienceOf(LAST_EVENT_MS);
          await Promise.race([current.last, patience.over]);
          patience.cancel();
        }
        return result;
      } finally {
        current.end();
      }
    },
  };
}
