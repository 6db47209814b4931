import { type Checkpoint, EngineError, type Run } from "@switchyard/contracts";

/** Properties of an engine that determine whether it can resume from a checkpoint. */
export interface ResumeSupport {
  /** Name of the engine, for messages. */
  readonly name: string;
  /** True if the engine can resume from checkpoints. */
  readonly supportsResume: boolean;
  /** Version of the engine's definition. `undefined`: a changed definition is not detected. */
  readonly specVersion?: string | undefined;
  /** Its additional check. */
  readonly canResume?: ((checkpoint: Checkpoint) => void) | undefined;
}

/**
 * Throws if a run cannot be resumed from its checkpoint. The checks, in the order of the contract: the checkpoint
 * belongs to another run (`checkpoint.foreign`); the engine cannot resume (`checkpoint.unsupported`); the engine's
 * definition has another version, if both versions are known (`checkpoint.drifted`); the engine's own check. See
 * engine: Run.ResumeFrom.
 */
export function assertResumable(run: Run, ability: ResumeSupport): void {
  const checkpoint = run.resumeFrom;
  if (checkpoint === undefined) return;
  if (checkpoint.execId !== run.id) {
    throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId: run.id, path: "to go on from" });
  }
  if (!ability.supportsResume) throw new EngineError("checkpoint.unsupported", { engine: ability.name });
  assertSameVersion(checkpoint, ability.specVersion);
  ability.canResume?.(checkpoint);
}

function assertSameVersion({ specVersion: found }: Checkpoint, expected: string | undefined): void {
  const isUnknown = found === undefined || found === "" || expected === undefined || expected === "";
  if (!isUnknown && found !== expected) throw new EngineError("checkpoint.drifted", { found, expected });
}
