import type { EvalCase, RubricAssertion } from "./eval-suite.ts";

/** Lists the rubrics of all cases. */
export function rubricsOf(cases: readonly Pick<EvalCase, "gates" | "assertions">[]): RubricAssertion[] {
  const assertions = cases.flatMap(({ gates = [], assertions: own }) => [...gates, ...own]);
  return assertions.filter((assertion) => assertion.kind === "rubric");
}
