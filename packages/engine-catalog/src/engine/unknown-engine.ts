import { closestWord, EngineError } from "@switchyard/contracts";

/**
 * Returns the error `engine.not_found` for an unknown engine name. The error lists the known names, the most similar
 * first. `packageName` is the package of an untrusted project that provides the engine.
 */
export function unknownEngine(engine: string, known: readonly string[], packageName?: string): EngineError {
  const meant = closestWord(engine, known);
  const others = known.filter((name) => name !== meant);
  const first = meant === undefined ? [] : [`${meant} (did you mean this one?)`];
  const details = packageName === undefined ? {} : { packageName };
  return new EngineError("engine.not_found", { engine, known: [...first, ...others], ...details });
}
