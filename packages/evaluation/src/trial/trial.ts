import type { TrialKey } from "../results/trial-result.ts";
import type { EvalCase, EvalSuite, EvalVariant } from "../suite/eval-suite.ts";
import type { NamedEvalEngine } from "./eval-engine.ts";

/** One case × variant × engine × iteration. */
export interface Trial {
  /** The case. */
  readonly case: EvalCase;
  /** The variant. */
  readonly variant: EvalVariant;
  /** The engine. */
  readonly engine: NamedEvalEngine;
  /** 1-based number. */
  readonly iteration: number;
}

/** What says which run is meant, as the results name it. */
export function toTrialKey({ case: { id }, variant, engine, iteration }: Trial): TrialKey {
  const name = variant.name === undefined ? {} : { variant: variant.name };
  return { case_id: id, ...name, engine: engine.id, iteration };
}

/**
 * All runs of an evaluation in the order in which they are begun. Iterations are the outermost: where an evaluation is
 * stopped, every engine has been asked about as much as the others.
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
