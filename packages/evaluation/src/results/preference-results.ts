import { permutationTest } from "../statistics/index.ts";
import type { TrialUsage } from "./trial-result.ts";

/** Engine that a judge prefers. */
export type Preferred = "left" | "right" | "tie";

/** Decision of a judge who was shown two results in one of the two orders. */
export interface OrderVerdict {
  /** Engine whose result the judge saw first. */
  first: "left" | "right";
  /** Engine whose result the judge prefers. */
  preferred: Preferred;
  /** Why. */
  reason: string;
}

/** Verdict of one judge on two results, which the judge compared in both orders. */
export interface PreferenceVerdict {
  /** Model reference of the judge. */
  model: string;
  /** Engine that the judge prefers in both orders; otherwise `tie`. `undefined` if the judge gave no verdict. */
  preferred?: Preferred | undefined;
  /**
   * True if the judge preferred the same position in both orders: both times the result shown first, or both times the
   * result shown second.
   */
  is_position_biased: boolean;
  /** Decision for each order of the two results. Empty if the judge gave no verdict. */
  orders: OrderVerdict[];
  /** Why the judge gave no verdict. */
  error?: string | undefined;
  /** Tokens and cost of the judge's calls. `undefined` if none succeeded. */
  usage?: TrialUsage | undefined;
}

/** Comparison of the results of two engines in one iteration of a case. */
export interface Preference {
  /** Id of the case. */
  case_id: string;
  /** Name of the variant. `undefined` if the suite has no variants. */
  variant?: string | undefined;
  /** Iteration number, starting at 1. */
  iteration: number;
  /** Name of the first engine. */
  left: string;
  /** Name of the second engine. */
  right: string;
  /** Engine that more judges prefer. `undefined` if no judge gave a verdict. */
  preferred?: Preferred | undefined;
  /** Verdict of each judge. */
  verdicts: PreferenceVerdict[];
}

/** Preferences between two engines over all cases. */
export interface PreferenceSummary {
  /** Name of the first engine. */
  left: string;
  /** Name of the second engine. */
  right: string;
  /** Name of the variant. `undefined` if the suite has no variants. */
  variant?: string | undefined;
  /** Number of comparisons that the first engine won. */
  left_wins: number;
  /** Number of comparisons that the second engine won. */
  right_wins: number;
  /** Number of comparisons that ended in a tie. */
  ties: number;
  /** Number of comparisons without a verdict. */
  undecided: number;
  /** Two-sided p-value of a permutation test in which each case counts once. */
  p_value: number;
}

/**
 * How often a judge was biased by the order of two results. A judge sees each pair in both orders. A biased judge
 * prefers the result at the same position in both.
 */
export interface PositionBias {
  /** Model reference of the judge. */
  model: string;
  /** Number of verdicts. */
  verdicts: number;
  /** Number of verdicts in which the judge preferred, in both orders, the result that was shown first. */
  first: number;
  /** Number of verdicts in which the judge preferred, in both orders, the result that was shown second. */
  second: number;
}

/** Pairwise comparisons of an evaluation. */
export interface PreferenceResults {
  /** Criterion by which the results were compared. */
  criterion: string;
  /** Summaries by pair of engines. */
  summaries: PreferenceSummary[];
  /** Position bias by judge. */
  position_bias: PositionBias[];
  /** All comparisons. */
  comparisons: Preference[];
}

/** Summarises comparisons of engines. */
export function summarisePreferences(criterion: string, comparisons: readonly Preference[]): PreferenceResults {
  const pairs = groupBy(comparisons, ({ left, right, variant }) => JSON.stringify([left, right, variant ?? null]));
  const verdicts = comparisons.flatMap((one) => one.verdicts);
  const models = [...new Set(verdicts.map(({ model }) => model))];
  return {
    criterion,
    summaries: pairs.flatMap((pair) => summaryOf(pair)),
    position_bias: models.map((model) => biasOf(model, verdicts)),
    comparisons: [...comparisons],
  };
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups.values()];
}

function summaryOf(pair: readonly Preference[]): PreferenceSummary[] {
  const [first] = pair;
  if (first === undefined) return [];
  const { left, right, variant } = first;
  const count = (preferred: Preferred | undefined): number => pair.filter((one) => one.preferred === preferred).length;
  // The cases are the units of the test, because the iterations of one case resemble each other.
  const decided = pair.filter(({ preferred }) => preferred !== undefined);
  const differences = groupBy(decided, ({ case_id }) => case_id).map((runs) => {
    const sum = runs.reduce((total, { preferred }) => total + SIGNS[preferred ?? "tie"], 0);
    return sum / runs.length;
  });
  return [
    {
      left,
      right,
      ...(variant === undefined ? {} : { variant }),
      left_wins: count("left"),
      right_wins: count("right"),
      ties: count("tie"),
      undecided: count(undefined),
      p_value: permutationTest(differences).pValue,
    },
  ];
}

const SIGNS: Readonly<Record<Preferred, number>> = { left: 1, right: -1, tie: 0 };

/** Returns the engine that more judges prefer. `undefined` if there is no verdict. */
export function preferredBy(verdicts: readonly PreferenceVerdict[]): Preferred | undefined {
  const given = verdicts.flatMap(({ preferred }) => preferred ?? []);
  if (given.length === 0) return undefined;
  const balance = given.reduce((sum, preferred) => sum + SIGNS[preferred], 0);
  return balance > 0 ? "left" : balance < 0 ? "right" : "tie";
}

function biasOf(model: string, verdicts: readonly PreferenceVerdict[]): PositionBias {
  const own = verdicts.filter((one) => one.model === model && one.preferred !== undefined);
  const biased = own.filter(({ is_position_biased }) => is_position_biased);
  const first = biased.filter(({ orders: [order] }) => order !== undefined && order.preferred === order.first).length;
  return { model, verdicts: own.length, first, second: biased.length - first };
}
