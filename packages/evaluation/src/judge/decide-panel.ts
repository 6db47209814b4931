import type { JudgePanel } from "../suite/eval-suite.ts";

/** Rule by which a panel decides. */
export interface PanelRule extends Pick<JudgePanel, "decision" | "tie"> {
  /** Score that is required, from 0 to 1. */
  readonly threshold: number;
}

/** Decision of a panel. `open`: judges without a verdict could change it. `tie`: the vote ended in a tie. */
export type PanelDecision = "pass" | "fail" | "open" | "tie";

/**
 * Returns the decision of a panel, given the scores of its judges. A judge without a verdict has the score `undefined`.
 * The other judges decide if no verdict of that judge could change the decision; otherwise the decision is `open`.
 */
export function decidePanel(scores: readonly (number | undefined)[], rule: PanelRule): PanelDecision {
  const lowest = decide(
    scores.map((score) => score ?? 0),
    rule,
  );
  const highest = decide(
    scores.map((score) => score ?? 1),
    rule,
  );
  return lowest === highest ? lowest : "open";
}

/** Tolerance for rounding errors of weighted means, so that they do not change a decision. */
const EPSILON = 1e-9;

function decide(scores: readonly number[], { decision, tie, threshold }: PanelRule): PanelDecision {
  if (decision === "mean") return meanOf(scores) + EPSILON >= threshold ? "pass" : "fail";
  const accepting = scores.filter((score) => score + EPSILON >= threshold).length;
  if (accepting * 2 === scores.length) return tie === "error" ? "tie" : tie;
  return accepting * 2 > scores.length ? "pass" : "fail";
}

/** Returns the mean of scores. */
export function meanOf(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
