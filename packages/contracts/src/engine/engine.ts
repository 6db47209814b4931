import type { Board } from "./board.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Host } from "./host.ts";
import type { Run } from "./run.ts";

/** Capabilities that an engine declares. All are off by default. See engine: Capabilities. */
export interface Capabilities {
  /** Resumes from `Run.resumeFrom`. */
  readonly supportsResume?: boolean | undefined;
  /** May call `askUser`. */
  readonly emitsUserPrompt?: boolean | undefined;
  /** Emits checkpoints. */
  readonly emitsCheckpoint?: boolean | undefined;
  /** Accepts messages while it works, from the dependency `control`. */
  readonly acceptsSteering?: boolean | undefined;
  /**
   * True if the engine stores conversations itself. To continue a conversation, pass the `session_id` of its previous
   * result.
   */
  readonly keepsConversation?: boolean | undefined;
  /** Names of the dependencies that the engine requires. Default: none. */
  readonly requiredDependencies?: readonly string[] | undefined;
}

/**
 * Runs one session. See engine: Engine.
 *
 * Contract: `execute` changes the given board (the run's state in memory) and resolves with the same board. When it
 * rejects, the board holds the partial state. It rejects with class `interrupted` after an interrupt, with class
 * `aborted` or `timeout` after the signal aborts, and with another classified error otherwise. A resume begins with
 * `board.restoreFrom(run.resumeFrom.board)`.
 */
export interface Engine {
  /** Runs the session until the engine completes, is interrupted or is cancelled. */
  execute(run: Run, host: Host, board: Board): Promise<Board>;
  /** Returns the declared capabilities. See engine: Describer. */
  capabilities?(): Capabilities;
  /**
   * Throws a `checkpoint.*` error if the engine cannot resume from the given checkpoint. Contract: fast, no I/O. See
   * engine: Resumer.
   */
  canResume?(checkpoint: Checkpoint): void;
  /**
   * Asks the engine to save a checkpoint at the next step at which its state is consistent. Returns immediately. See
   * engine: CheckpointSuggester.
   */
  suggestCheckpoint?(): void;
  /**
   * Returns the engine that this engine wraps. The host also uses the wrapped engine's `canResume` and
   * `suggestCheckpoint`. See engine: WithCapabilities.
   */
  unwrap?(): Engine;
}
