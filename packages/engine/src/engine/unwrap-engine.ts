import type { Checkpoint, Engine } from "@switchyard/contracts";

/** Maximum number of nested wrappers; more are considered a cycle. */
const MAX_WRAPPERS = 64;

/** Checks whether an engine can resume. See engine: Resumer. */
export interface Resumer {
  /** Throws a `checkpoint.*` error if the engine cannot resume from the given checkpoint. Contract: fast, no I/O. */
  canResume(checkpoint: Checkpoint): void;
}

/**
 * Returns the first engine that passes a test: the given engine, or else the engines that it wraps, from the outside
 * in.
 */
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

/**
 * Returns the resume check of an engine, or of an engine that it wraps; `undefined` if there is none. See engine:
 * AsResumer.
 */
export function asResumer(engine: Engine): Resumer | undefined {
  return findUnwrapping(engine, (candidate): candidate is Engine & Resumer => candidate.canResume !== undefined);
}

/** Returns true if an engine, or an engine that it wraps, has a resume check. See engine: IsResumable. */
export function isResumable(engine: Engine): boolean {
  return asResumer(engine) !== undefined;
}

/**
 * Asks an engine, or the engine that it wraps, to save a checkpoint at the next step at which its state is consistent.
 * Returns immediately. Does nothing if the engine does not support such requests. Throws errors that the engine throws.
 * See engine: SuggestCheckpoint.
 */
export function suggestCheckpoint(engine: Engine): void {
  type Suggester = Engine & Required<Pick<Engine, "suggestCheckpoint">>;
  findUnwrapping(
    engine,
    (candidate): candidate is Suggester => candidate.suggestCheckpoint !== undefined,
  )?.suggestCheckpoint();
}
