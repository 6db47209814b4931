import type { Checkpoint, Engine } from "@switchyard/contracts";

/** Maximum number of nested wrappers; more are considered a cycle. */
const MAX_WRAPPERS = 64;

/** Checks whether an engine can resume. engine: Resumer. */
export interface Resumer {
  /** Throws a `checkpoint.*` error if it cannot resume. Contract: fast, no I/O. */
  canResume(checkpoint: Checkpoint): void;
}

/** Returns the first of an engine and the engines it wraps that passes a test, from the outside in. */
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

/** Returns the resume check of an engine or of one that it wraps; `undefined` if there is none. engine: AsResumer. */
export function asResumer(engine: Engine): Resumer | undefined {
  return findUnwrapping(engine, (candidate): candidate is Engine & Resumer => candidate.canResume !== undefined);
}

/** Returns true if an engine, or one that it wraps, has a resume check. engine: IsResumable. */
export function isResumable(engine: Engine): boolean {
  return asResumer(engine) !== undefined;
}

/**
 * Requests a checkpoint at the next safe boundary from an engine or the one that it wraps; returns immediately. Does
 * nothing if the engine does not support it. Throws what the engine throws. engine: SuggestCheckpoint.
 */
export function suggestCheckpoint(engine: Engine): void {
  type Suggester = Engine & Required<Pick<Engine, "suggestCheckpoint">>;
  findUnwrapping(
    engine,
    (candidate): candidate is Suggester => candidate.suggestCheckpoint !== undefined,
  )?.suggestCheckpoint();
}
