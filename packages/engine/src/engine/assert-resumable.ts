import { type Checkpoint, EngineError, type Run } from "@switchyard/contracts";

/** What is known of the engine that is to go on. */
export interface ResumeAbility {
  /** Name for messages. */
  readonly name: string;
  /** Whether it honours a checkpoint at all. */
  readonly supportsResume: boolean;
  /** Version of its definition. */
  readonly specVersion?: string | undefined;
  /** Its own check. */
  readonly canResume?: ((checkpoint: Checkpoint) => void) | undefined;
}

/**
 * Refuses a checkpoint that a run cannot go on from, in the order of the contract: another run's
 * (`checkpoint.foreign`), any at all (`checkpoint.unsupported`), one of another version of the engine's definition
 * (`checkpoint.drifted`; not looked at where either is unknown), then by the engine's own check. engine: Run.ResumeFrom.
 */
export function assertResumable(run: Run, ability: ResumeAbility): void {
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
