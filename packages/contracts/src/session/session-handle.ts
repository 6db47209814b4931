import type { Interrupt } from "../engine/interrupt.ts";
import type { UserReply } from "../engine/user-prompt.ts";
import type { Envelope } from "../events/envelope.ts";
import type { SessionReport } from "./session-report.ts";

/** Controls a running session. */
export interface SessionHandle {
  /** Id of the run. */
  readonly runId: string;
  /**
   * Sequence number of the last event of earlier attempts; 0 for a new run. `events(startSeq)` returns only new events.
   */
  readonly startSeq: number;
  /**
   * Streams the events of the run until this attempt ends. Starts with the first event, or with the event after
   * `afterSeq`. Contract: stored events are complete and in order. Events that are not stored, such as pieces of text,
   * are included only if they are emitted after the iteration has started.
   */
  events(afterSeq?: number): AsyncIterable<Envelope>;
  /** Adds a message between two tool rounds. Does nothing if the engine accepts no messages while it works. */
  steer(text: string): void;
  /** Adds a message that is handled after the current input is done. */
  followUp(text: string): void;
  /** Answers a question of the engine. Throws `prompt.unknown` if no question of this id is waiting. */
  answer(promptId: string, reply: UserReply): void;
  /** Asks the engine to stop cleanly. Only the first interrupt has an effect. */
  interrupt(interrupt: Interrupt): void;
  /** Asks the engine to save a checkpoint at the next step at which its state is consistent. */
  suggestCheckpoint(): void;
  /** Resolves with the report when the run ends. Contract: never rejects because of the engine. */
  readonly result: Promise<SessionReport>;
}
