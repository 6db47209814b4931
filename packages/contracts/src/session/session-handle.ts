import type { Interrupt } from "../engine/interrupt.ts";
import type { UserReply } from "../engine/user-prompt.ts";
import type { Envelope } from "../events/envelope.ts";
import type { SessionReport } from "./session-report.ts";

/** A running session in the hands of its host. */
export interface SessionHandle {
  /** Id of the run. */
  readonly runId: string;
  /** Number of the last event of earlier attempts; 0 for a new run. `events(startSeq)` is what is new. */
  readonly startSeq: number;
  /**
   * Every event of the run, from the first or from behind `afterSeq`, to the end of this attempt. Contract: stored
   * events come complete and in order; ephemeral ones only from when the iteration began.
   */
  events(afterSeq?: number): AsyncIterable<Envelope>;
  /** Adds a message between two tool rounds. Ignored by engines that do not accept steering. */
  steer(text: string): void;
  /** Adds a message that is worked on when the current input is done. */
  followUp(text: string): void;
  /** Answers a question of the engine. Throws `prompt.unknown` when none of that id is waiting. */
  answer(promptId: string, reply: UserReply): void;
  /** Asks the engine to stop cleanly; the first interrupt counts. */
  interrupt(interrupt: Interrupt): void;
  /** Asks the engine for a checkpoint at its next safe boundary. */
  suggestCheckpoint(): void;
  /** The end of the run. Contract: never rejects for anything the engine did. */
  readonly result: Promise<SessionReport>;
}
