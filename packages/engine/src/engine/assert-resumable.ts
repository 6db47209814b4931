import { type Checkpoint, EngineError, type Run } from "@switchyard/contracts";

/** What is known of the engine that is to go on. */
export interface ResumeAbility {
  /** Name for messages. */
  readonly name: string;
  /** Whether it honours a checkpoint at all. */
  readonly supportsResume: boolean;
  /** Its own check. */
  readonly canResume?: ((checkpoint: Checkpoint) => void) | undefined;
}

/**
 * Refuses a checkpoint that a run cannot go on from, in the order of the contract: another run's
 * (`checkpoint.foreign`), any at all (`checkpoint.unsupported`), then by the engine's own check. engine: Run.ResumeFrom.
 */
export function assertResumable(run: Run, ability: ResumeAbility): void {
  const checkpoint = run.resumeFrom;
  if (checkpoint === undefined) return;
  if (checkpoint.execId !== run.id) {
    throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId: run.id });
  }
  if (!ability.supportsResume) throw new EngineError("checkpoint.unsupported", { engine: ability.name });
  ability.canResume?.(checkpoint);
}
