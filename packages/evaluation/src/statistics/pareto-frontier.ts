import { meanOf } from "./case-counts.ts";
import { createRandom } from "./create-random.ts";

/** Quality and cost of one engine, case by case. */
export interface FrontierInput {
  /** Quality of each case, such as its pass rate. Higher is better. */
  readonly quality: readonly number[];
  /** Cost of each case. Lower is better. */
  readonly cost: readonly number[];
}

/** Quality and cost of one engine, and whether it is on the Pareto frontier. */
export interface FrontierPoint {
  /** Mean quality. */
  readonly quality: number;
  /** Mean cost. */
  readonly cost: number;
  /** True if no other engine is better without being more expensive, or cheaper without being worse. */
  readonly isOnFrontier: boolean;
  /** Share of resampled evaluations in which the engine is on the frontier, from 0 to 1. */
  readonly share: number;
}

/** Options for `paretoFrontier`. */
export interface FrontierOptions {
  /** Number of resampled evaluations. Default: 1,000. */
  readonly resamples?: number | undefined;
  /** Seed of the resampling. Default: 1. */
  readonly seed?: number | undefined;
}

/**
 * Returns the quality and cost of each engine, whether the engine is on the Pareto frontier, and how certain this is
 * (`share`). All engines must have the same cases in the same order. If an engine is not on the frontier but has a
 * `share` above 0.05, its distance from the frontier may be due to chance.
 *
 * Sources: Kapoor et al. 2024, "AI Agents That Matter", section 2, for the frontier; Efron 1979, "Bootstrap methods:
 * another look at the jackknife", for the resampling, here of whole cases, so that engines stay paired.
 */
export function paretoFrontier(
  engines: readonly FrontierInput[],
  { resamples = 1_000, seed = 1 }: FrontierOptions = {},
): FrontierPoint[] {
  const random = createRandom(seed);
  const cases = engines[0]?.quality.length ?? 0;
  const points = engines.map(({ quality, cost }) => ({ quality: meanOf(quality), cost: meanOf(cost) }));
  const wins = engines.map(() => 0);
  for (let resample = 0; resample < resamples; resample += 1) {
    const drawn = Array.from({ length: cases }, () => Math.floor(random() * cases));
    const means = engines.map(({ quality, cost }) => ({
      quality: meanOf(drawn.map((index) => quality[index] ?? 0)),
      cost: meanOf(drawn.map((index) => cost[index] ?? 0)),
    }));
    for (const [index, isBest] of frontierOf(means).entries()) {
      if (isBest) wins[index] = (wins[index] ?? 0) + 1;
    }
  }
  const isBest = frontierOf(points);
  return points.map((point, index) => ({
    ...point,
    isOnFrontier: isBest[index] ?? false,
    share: (wins[index] ?? 0) / resamples,
  }));
}

type Point = Pick<FrontierPoint, "quality" | "cost">;

function frontierOf(points: readonly Point[]): boolean[] {
  return points.map((point) => !points.some((other) => dominates(other, point)));
}

function dominates(one: Point, other: Point): boolean {
  const isNoWorse = one.quality >= other.quality && one.cost <= other.cost;
  return isNoWorse && (one.quality > other.quality || one.cost < other.cost);
}
