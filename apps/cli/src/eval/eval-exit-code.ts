import type { EvalResults } from "@switchyard/evaluation";

const EXIT_CODES: Readonly<Record<EvalResults["outcome"], number>> = {
  passed: 0,
  failed: 1,
  error: 3,
  // An evaluation with skipped runs has no definite result.
  incomplete: 3,
  interrupted: 130,
};

/** Returns the exit code of `switchyard eval` for the outcome of an evaluation. */
export function exitCodeOfEval({ outcome }: Pick<EvalResults, "outcome">): number {
  return EXIT_CODES[outcome];
}
