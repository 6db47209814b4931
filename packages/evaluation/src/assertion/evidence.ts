import type { SessionResult } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { EvalJudge } from "../judge/judge.ts";
import type { AskJudge } from "../judge/rubric-judge.ts";
import type { AssertionResult, TrialUsage } from "../results/trial-result.ts";
import type { RuleEvidence } from "../rule/check-rule.ts";

/** Inputs of an assertion check. The environment is the one in which the engine worked; it is still open. */
export interface Evidence extends RuleEvidence {
  /** Result of the engine. */
  readonly result: SessionResult | undefined;
  /** Returns a function that asks the judge of a rubric, given its model. */
  readonly askJudge: (model: string) => Promise<AskJudge>;
  /** Task given to the engine: the last user message of the case. */
  readonly task: string;
  /** Unified diff of the workspace changes. `undefined` if unknown. */
  readonly workspaceDiff?: string | undefined;
  /** Masks secrets in command output. */
  readonly masker: Masker;
  /** Function that decides `judge` assertions. If `undefined`, `judge` assertions end in `ERROR`. */
  readonly judge?: EvalJudge | undefined;
  /** Called with the usage of each judge call. */
  readonly onJudged: (usage: TrialUsage) => void;
  /** Aborts commands and judge calls. */
  readonly signal: AbortSignal;
}

/** Outcome of an assertion, without its description. */
export type Finding = Omit<AssertionResult, "kind" | "expected" | "judge">;
