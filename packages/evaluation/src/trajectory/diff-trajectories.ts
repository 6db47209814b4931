import { isDeepStrictEqual } from "node:util";
import { alignSteps, type StepPair } from "./align-steps.ts";
import type { Trajectory, TrajectoryStep } from "./trajectory.ts";

/** One value, such as the number of steps or the cost, of each of the two trajectories. `undefined` if unknown. */
export interface ValuePair {
  /** Value of the first trajectory. */
  left?: number | undefined;
  /** Value of the second trajectory. */
  right?: number | undefined;
}

/** First step at which two trajectories differ. */
export interface Divergence {
  /** Number of the step in the first trajectory. `undefined` if that trajectory has already ended. */
  left?: number | undefined;
  /** Number of the step in the second trajectory. `undefined` if that trajectory has already ended. */
  right?: number | undefined;
  /** What differs. */
  kind: "author" | "message" | "tool_calls" | "results" | "end";
}

/** A pair of corresponding steps of the two trajectories, or a step that only one trajectory contains. */
export interface StepChange {
  /** `removed`: only the first has the step. `added`: only the second. `results`: the results of its calls differ. */
  change: "removed" | "added" | "results";
  /** Number of the step in the first trajectory. */
  left?: number | undefined;
  /** Number of the step in the second trajectory. */
  right?: number | undefined;
}

/** Difference of two trajectories. Ids and times do not count. */
export interface TrajectoryDiff {
  /** Version of this format. */
  format: 1;
  /** True if both agents took the same steps and saw the same results. */
  is_equal: boolean;
  /** First difference. `undefined` if there is none. */
  first_divergence?: Divergence | undefined;
  /** Number of steps that are equal in both trajectories. */
  common_steps: number;
  /** Added, removed and changed steps, in order. */
  changes: StepChange[];
  /** Number of tool calls by name. */
  tool_calls: Record<string, ValuePair>;
  /** Sums of both trajectories. */
  totals: { steps: ValuePair; prompt_tokens: ValuePair; completion_tokens: ValuePair; cost_usd: ValuePair };
}

/**
 * Compares two trajectories step by step. Steps correspond if they have the same author, message and tool calls; the
 * longest possible list of corresponding steps is used.
 */
export function diffTrajectories(left: Trajectory, right: Trajectory): TrajectoryDiff {
  const pairs = alignSteps(left.steps, right.steps);
  const changes = pairs.flatMap(changeOf);
  const divergence = firstDivergence(left.steps, right.steps);
  return {
    ...{ format: 1, is_equal: divergence === undefined },
    ...(divergence === undefined ? {} : { first_divergence: divergence }),
    common_steps: pairs.filter((pair) => pair.left !== undefined && pair.right !== undefined).length,
    ...{ changes, tool_calls: countCalls(left, right) },
    totals: {
      steps: { left: left.steps.length, right: right.steps.length },
      prompt_tokens: total(left, right, "prompt_tokens"),
      completion_tokens: total(left, right, "completion_tokens"),
      cost_usd: total(left, right, "cost_usd"),
    },
  };
}

function changeOf({ left, right }: StepPair): StepChange[] {
  if (left === undefined) return right === undefined ? [] : [{ change: "added", right: right.step_id }];
  if (right === undefined) return [{ change: "removed", left: left.step_id }];
  return isDeepStrictEqual(resultsOf(left), resultsOf(right))
    ? []
    : [{ change: "results", left: left.step_id, right: right.step_id }];
}

function firstDivergence(left: readonly TrajectoryStep[], right: readonly TrajectoryStep[]): Divergence | undefined {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    const kind = one === undefined || other === undefined ? "end" : differenceOf(one, other);
    if (kind === undefined) continue;
    return {
      ...(one === undefined ? {} : { left: one.step_id }),
      ...(other === undefined ? {} : { right: other.step_id }),
      kind,
    };
  }
  return undefined;
}

function differenceOf(left: TrajectoryStep, right: TrajectoryStep): Divergence["kind"] | undefined {
  if (left.source !== right.source) return "author";
  if (!isDeepStrictEqual(left.message, right.message)) return "message";
  if (!isDeepStrictEqual(callsOf(left), callsOf(right))) return "tool_calls";
  return isDeepStrictEqual(resultsOf(left), resultsOf(right)) ? undefined : "results";
}

/** Returns the tool calls of a step without their ids. */
function callsOf({ tool_calls: calls = [] }: TrajectoryStep): unknown[] {
  return calls.map(({ function_name, arguments: given }) => [function_name, given]);
}

/** Returns the results of a step in the order of its calls, without ids and durations. */
function resultsOf({ tool_calls: calls = [], observation }: TrajectoryStep): unknown[] {
  const results = observation?.results ?? [];
  const indexOf = (id: string | undefined): number => calls.findIndex(({ tool_call_id }) => tool_call_id === id);
  return results
    .map(
      ({ source_call_id, content, extra }) => [indexOf(source_call_id), content, extra?.["is_error"] === true] as const,
    )
    .sort(([one], [other]) => one - other);
}

function countCalls(left: Trajectory, right: Trajectory): Record<string, ValuePair> {
  const counts = new Map<string, { left: number; right: number }>();
  for (const side of ["left", "right"] as const) {
    for (const { tool_calls = [] } of (side === "left" ? left : right).steps) {
      for (const { function_name } of tool_calls) {
        const count = counts.get(function_name) ?? { left: 0, right: 0 };
        count[side] += 1;
        counts.set(function_name, count);
      }
    }
  }
  return Object.fromEntries([...counts].sort(([one], [other]) => one.localeCompare(other)));
}

function total(
  left: Trajectory,
  right: Trajectory,
  name: "prompt_tokens" | "completion_tokens" | "cost_usd",
): ValuePair {
  const [one, other] = [totalOf(left, name), totalOf(right, name)];
  return { ...(one === undefined ? {} : { left: one }), ...(other === undefined ? {} : { right: other }) };
}

/** Returns the total that the trajectory declares. If it declares none, returns the sum over the steps. */
function totalOf(
  { final_metrics: totals, steps }: Trajectory,
  name: "prompt_tokens" | "completion_tokens" | "cost_usd",
): number | undefined {
  const declared = totals?.[`total_${name}`];
  if (declared !== undefined) return declared;
  const known = steps.flatMap(({ metrics }) => metrics?.[name] ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
