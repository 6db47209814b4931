import type { Board } from "./board.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Host } from "./host.ts";
import type { Run } from "./run.ts";

/** What an engine claims it can do; nothing is claimed by default. engine: Capabilities. */
export interface Capabilities {
  /** Honours `Run.resumeFrom`. */
  readonly supportsResume?: boolean | undefined;
  /** May call `askUser`. */
  readonly emitsUserPrompt?: boolean | undefined;
  /** Writes checkpoints. */
  readonly emitsCheckpoint?: boolean | undefined;
  /** Takes steering and follow-up messages from the dependency `control`. */
  readonly acceptsSteering?: boolean | undefined;
  /** Names of the dependencies it cannot do without. */
  readonly requiredDependencies?: readonly string[] | undefined;
}

/**
 * Runs one session. engine: Engine.
 *
 * Contract: changes the board it is given and resolves with that same board. When it rejects, the board is the
 * partial state. An interrupt rejects with class `interrupted`, a fired signal with class `aborted` or `timeout`,
 * anything else with a classified error. A resume begins with `board.restoreFrom(run.resumeFrom.board)`.
 */
export interface Engine {
  /** Runs to completion, interrupt or cancellation. */
  execute(run: Run, host: Host, board: Board): Promise<Board>;
  /** What it claims. engine: Describer. */
  capabilities?(): Capabilities;
  /** Throws why it cannot go on from there, `checkpoint.*` by default. Contract: cheap, no I/O. engine: Resumer. */
  canResume?(checkpoint: Checkpoint): void;
  /** Asks for a checkpoint at the next safe boundary; returns at once. engine: CheckpointSuggester. */
  suggestCheckpoint?(): void;
  /** The engine it wraps, whose resume check and suggestions are its own as well. engine: WithCapabilities. */
  unwrap?(): Engine;
}
