import { neutraliseControls, plural } from "@switchyard/terminal";
import { formatCount, formatMoney } from "../page/format.ts";
import type { Divergence, StepChange, TrajectoryDiff, ValuePair } from "./diff-trajectories.ts";
import { textOf } from "./step-events.ts";
import type { Trajectory, TrajectoryStep } from "./trajectory.ts";

/** Maximum length of a step on one line, in characters. */
const MAX_LINE = 100;
/** Maximum number of changed steps that are listed. */
const MAX_CHANGES = 50;

const KINDS: Readonly<Record<Divergence["kind"], string>> = {
  author: "another author",
  message: "another message",
  tool_calls: "other tool calls",
  results: "other results of the same tool calls",
  end: "one of them ends",
};
const SIGNS: Readonly<Record<StepChange["change"], string>> = { removed: "-", added: "+", results: "~" };

/** Two trajectories and their difference. */
export interface ComparedTrajectories {
  /** First trajectory. */
  readonly left: Trajectory;
  /** Second trajectory. */
  readonly right: Trajectory;
  /** Difference of both. */
  readonly diff: TrajectoryDiff;
}

/** Returns the lines that show the difference of two trajectories on a terminal. */
export function describeTrajectoryDiff({ left, right, diff }: ComparedTrajectories): string[] {
  const { first_divergence: first, changes, common_steps: common, tool_calls, totals } = diff;
  const count = (change: StepChange["change"]): number => changes.filter((one) => one.change === change).length;
  const calls = Object.entries(tool_calls).map(
    ([name, pair]) => `  ${neutraliseControls(name)}: ${describePair(pair)}`,
  );
  const rest = changes.length > MAX_CHANGES ? [`  … and ${changes.length - MAX_CHANGES} more`] : [];
  return [
    ...(first === undefined ? ["The trajectories are equal."] : describeFirst(first, { left, right })),
    "",
    `${plural(common, "common step")}, ${count("removed")} only in the first, ${count("added")} only in the second`,
    ...changes.slice(0, MAX_CHANGES).map((change) => describeChange(change, { left, right })),
    ...rest,
    ...(calls.length === 0 ? [] : ["", "Tool calls:", ...calls]),
    "",
    `Steps: ${describePair(totals.steps)}`,
    `Input tokens: ${describePair(totals.prompt_tokens)}`,
    `Output tokens: ${describePair(totals.completion_tokens)}`,
    `Cost: ${describePair(totals.cost_usd, (value) => formatMoney({ cost_usd: value }))}`,
  ];
}

type Sides = Pick<ComparedTrajectories, "left" | "right">;

function describeFirst({ left: one, right: other, kind }: Divergence, { left, right }: Sides): string[] {
  const lines = [
    ...(one === undefined ? [] : [`  first   ${describeStep(left.steps[one - 1])}`]),
    ...(other === undefined ? [] : [`  second  ${describeStep(right.steps[other - 1])}`]),
  ];
  return [`First difference at step ${one ?? other}: ${KINDS[kind]}`, ...lines];
}

function describeChange({ change, left: one, right: other }: StepChange, { left, right }: Sides): string {
  const step = one === undefined ? right.steps[(other ?? 0) - 1] : left.steps[one - 1];
  return `${SIGNS[change]} ${describeStep(step)}`;
}

/** Returns one line about a step: its number, author, tool calls and message. */
function describeStep(step: TrajectoryStep | undefined): string {
  if (step === undefined) return "";
  const calls = (step.tool_calls ?? []).map((call) => `→ ${call.function_name} ${JSON.stringify(call.arguments)}`);
  const text = [textOf(step.message), ...calls].join(" ").replace(/\s+/gu, " ").trim();
  const line = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE).toWellFormed()}…` : text;
  return neutraliseControls(`#${step.step_id} ${step.source}: ${line}`);
}

function describePair({ left, right }: ValuePair, format: (value: number) => string = formatCount): string {
  const show = (value: number | undefined): string => (value === undefined ? "unknown" : format(value));
  if (left === undefined || right === undefined || left === right) {
    return left === right ? show(left) : `${show(left)} → ${show(right)}`;
  }
  const sign = right > left ? "+" : "−";
  return `${show(left)} → ${show(right)} (${sign}${format(Math.abs(right - left))})`;
}
