import type { EvalCase, RubricAssertion } from "./eval-suite.ts";

/** Lists the rubrics of all cases. A rubric is a list of criteria that judges score. */
export function rubricsOf(cases: readonly Pick<EvalCase, "gates" | "assertions">[]): RubricAssertion[] {
  const assertions = cases.flatMap(({ gates = [], assertions: own }) => [...gates, ...own]);
  return assertions.filter((assertion) => assertion.kind === "rubric");
}
