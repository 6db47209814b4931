import type { JudgedSession } from "../judge/check-rubric.ts";
import type { AssertionResult, TrialKey } from "../results/trial-result.ts";
import type { RuleEvidence } from "../rule/check-rule.ts";

/** Inputs of an assertion check. The environment is the one in which the engine worked; it is still open. */
export interface Evidence extends RuleEvidence, JudgedSession {
  /** The trial. */
  readonly trial: TrialKey;
}

/** Outcome of an assertion, without its description. */
export type Finding = Omit<AssertionResult, "kind" | "expected" | "judge">;
