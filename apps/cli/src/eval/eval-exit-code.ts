import type { EvalResults } from "@switchyard/evaluation";

const EXIT_CODES: Readonly<Record<EvalResults["outcome"], number>> = {
  passed: 0,
  failed: 1,
  error: 3,
  // Nobody knows whether it would have passed.
  incomplete: 3,
  interrupted: 130,
};

/** Exit code of the command for how an evaluation ended. */
export function exitCodeOfEval({ outcome }: Pick<EvalResults, "outcome">): number {
  return EXIT_CODES[outcome];
}
