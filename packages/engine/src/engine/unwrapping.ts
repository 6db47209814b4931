import type { Checkpoint, Engine } from "@switchyard/contracts";

/** Wrappers that are looked through; more of them are taken for a circle. */
const MAX_WRAPPERS = 64;

/** Says whether it can go on from a checkpoint. engine: Resumer. */
export interface Resumer {
  /** Throws `checkpoint.*` when it cannot. Contract: cheap, no I/O. */
  canResume(checkpoint: Checkpoint): void;
}

/** The outermost of an engine and all that it wraps that passes a test. */
function findUnwrapping<T extends Engine>(
  engine: Engine,
  matches: (candidate: Engine) => candidate is T,
): T | undefined {
  let candidate: Engine | undefined = engine;
  for (let depth = 0; candidate !== undefined && depth <= MAX_WRAPPERS; depth += 1) {
    if (matches(candidate)) return candidate;
    candidate = candidate.unwrap?.();
  }
  return undefined;
}

/** The resume check of an engine, or of one that it wraps; nothing when there is none. engine: AsResumer. */
export function asResumer(engine: Engine): Resumer | undefined {
  return findUnwrapping(engine, (candidate): candidate is Engine & Resumer => candidate.canResume !== undefined);
}

/** Whether an engine, or one that it wraps, has a resume check. engine: IsResumable. */
export function isResumable(engine: Engine): boolean {
  return asResumer(engine) !== undefined;
}

/**
 * Asks an engine, or the one that it wraps, for a checkpoint at its next safe boundary; returns at once and promises
 * none. Does nothing where that is not offered; what the engine throws reaches the caller. engine: SuggestCheckpoint.
 */
export function suggestCheckpoint(engine: Engine): void {
  type Suggester = Engine & Required<Pick<Engine, "suggestCheckpoint">>;
  findUnwrapping(
    engine,
    (candidate): candidate is Suggester => candidate.suggestCheckpoint !== undefined,
  )?.suggestCheckpoint();
}
