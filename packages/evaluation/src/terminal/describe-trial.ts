import { formatDuration, neutraliseControls, plural } from "@switchyard/terminal";
import type picocolors from "picocolors";
import type { TrialKey, TrialResult } from "../results/trial-result.ts";

/** Maximum length of the reason in a one-line result, in characters. */
const MAX_REASON = 200;

const SIGNS: Readonly<Record<TrialResult["outcome"], string>> = { PASS: "✓", FAIL: "✗", ERROR: "!", SKIPPED: "–" };

/** Returns the name of a trial on one line: case, variant, engine and iteration. */
export function describeTrial({ case_id, variant, engine, iteration }: TrialKey): string {
  const parts = [case_id, variant, engine].filter((part) => part !== undefined);
  return neutraliseControls(`${parts.join(" · ")} #${iteration}`);
}

/** Returns the result of a trial on one line: outcome, name, duration, attempts and reason. */
export function describeResult(result: TrialResult, colours: ReturnType<typeof picocolors.createColors>): string {
  const { outcome, reason, duration_ms, earlier_attempts, rewards } = result;
  const colour = { PASS: colours.green, FAIL: colours.red, ERROR: colours.yellow, SKIPPED: colours.dim }[outcome];
  const attempts = earlier_attempts.length === 0 ? "" : `, ${plural(earlier_attempts.length + 1, "attempt")}`;
  const time = duration_ms === undefined ? "" : ` (${formatDuration(duration_ms)}${attempts})`;
  const why = outcome === "PASS" || reason === undefined ? rewardsOf(rewards) : ` ${oneLine(reason)}`;
  return `${colour(`${SIGNS[outcome]} ${outcome.padEnd(7)}`)} ${describeTrial(result)}${colours.dim(time)}${why}`;
}

/** Returns the rewards of a task that passed. If a task failed, the reason already contains its rewards. */
function rewardsOf(rewards: TrialResult["rewards"] = {}): string {
  const entries = Object.entries(rewards).map(([name, value]) => `${name} ${value}`);
  return entries.length === 0 ? "" : ` ${oneLine(entries.join(", "))}`;
}

/** Returns the reason for a trial's outcome on one line, truncated to 200 characters. */
export function oneLine(text: string): string {
  const line = neutraliseControls(text).replace(/\s+/g, " ").trim();
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1)}…`;
}
