import type { TrialKey } from "../results/trial-result.ts";
import type { EvalCase, EvalSuite, EvalVariant } from "../suite/eval-suite.ts";
import type { NamedEvalEngine } from "./eval-engine.ts";

/** A trial: one iteration of a case with a variant and an engine. */
export interface Trial {
  /** The case. */
  readonly case: EvalCase;
  /** The variant. */
  readonly variant: EvalVariant;
  /** The engine. */
  readonly engine: NamedEvalEngine;
  /** Iteration number, starting at 1. */
  readonly iteration: number;
}

/** Returns the key that identifies a trial in the results. */
export function toTrialKey({ case: { id }, variant, engine, iteration }: Trial): TrialKey {
  const name = variant.name === undefined ? {} : { variant: variant.name };
  return { case_id: id, ...name, engine: engine.id, iteration };
}

/**
 * Lists all trials in execution order. Iterations are the outermost loop, so that a stopped evaluation has run every
 * engine about equally often.
 */
export function planTrials(
  { cases, variants, iterations }: Pick<EvalSuite, "cases" | "variants" | "iterations">,
  engines: readonly NamedEvalEngine[],
): Trial[] {
  const numbers = Array.from({ length: iterations }, (_, index) => index + 1);
  return numbers.flatMap((iteration) =>
    cases.flatMap((one) =>
      variants.flatMap((variant) => engines.map((engine) => ({ case: one, variant, engine, iteration }))),
    ),
  );
}
