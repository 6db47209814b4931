import {
  createRandom,
  differencesOf,
  holmCorrection,
  type Interval,
  mcnemarTest,
  minimumDetectableDifference,
  pairedDifference,
  passRateInterval,
  permutationTest,
  type Random,
  sequentialTest,
} from "../../src/statistics/index.ts";
import { correlationsOf, pairsOf, type Size, simulate, type Truth } from "./simulated-evaluation.ts";

/** A figure of the simulation and its limits. */
export interface Figure {
  name: string;
  /** Number of simulated evaluations that the figure is about. */
  count: number;
  value: number;
  /** Lowest and highest accepted value. `undefined`: the figure is only printed. */
  limits?: readonly [number, number] | undefined;
}

const CASES = [5, 8, 10, 15, 20, 30, 50];
const ITERATIONS = [1, 2, 3, 5, 8];
const SPREADS = [0.5, 1.5, 3];
const ALPHA = 0.05;

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to pick from.");
  return value;
}

/** Counts how often a condition is true. */
class Share {
  count = 0;
  hits = 0;

  add(isHit: boolean): void {
    this.count += 1;
    if (isHit) this.hits += 1;
  }

  get value(): number {
    return this.hits / this.count;
  }

  /** Sampling error to allow for: 2.6 standard errors of a share near `expected`. */
  slack(expected: number): number {
    return 2.6 * Math.sqrt((expected * (1 - expected)) / this.count);
  }
}

type Shares = Map<string, Share>;

function add(shares: Shares, name: string, isHit: boolean): void {
  const share = shares.get(name) ?? new Share();
  shares.set(name, share);
  share.add(isHit);
}

function contains({ low, high }: Interval, value: number): boolean {
  return low <= value && value <= high;
}

/** Draws a mean pass rate: one third each near 0, near 1 and between. */
function drawRate(random: Random): { rate: number; band: string } {
  const share = random();
  const distance = 0.02 + 0.13 * random();
  if (share < 1 / 3) return { rate: distance, band: "rates of 2 to 15 %" };
  if (share < 2 / 3) return { rate: 1 - distance, band: "rates of 85 to 98 %" };
  return { rate: 0.15 + 0.7 * random(), band: "rates of 15 to 85 %" };
}

function drawTruth(random: Random): Omit<Truth, "rates"> {
  return { caseSpread: pick(SPREADS, random), engineSpread: pick([0.3, 1], random) };
}

/** Coverage of intervals and false alarms of tests, at realistic sizes. */
export function simulateErrors(evaluations: number, seed: number): Figure[] {
  const random = createRandom(seed);
  const covered: Shares = new Map();
  const alarms: Shares = new Map();
  for (let index = 0; index < evaluations; index += 1) {
    const size = { cases: pick(CASES, random), iterations: pick(ITERATIONS, random) };
    addCoverage(covered, size, random);
    addAlarms(alarms, size, random);
  }
  return [...coverageFigures(covered), ...alarmFigures(alarms)];
}

function addCoverage(shares: Shares, size: Size, random: Random): void {
  const { rate, band } = drawRate(random);
  const other = Math.min(0.98, Math.max(0.02, rate + 0.6 * (random() - 0.5)));
  const passes = simulate({ ...drawTruth(random), rates: [rate, other] }, size, random);
  const pairs = pairsOf(passes, size);
  const isRateCovered = contains(passRateInterval(pairs.map(({ left }) => left)), rate);
  const few = size.cases < 10 ? "5 to 9 cases" : "10 to 50 cases";
  for (const name of ["all", few, band]) add(shares, `pass rate, ${name}`, isRateCovered);
  const isDifferenceCovered = contains(pairedDifference(pairs), rate - other);
  for (const name of ["all", few, band]) add(shares, `paired difference, ${name}`, isDifferenceCovered);
}

function coverageFigures(shares: Shares): Figure[] {
  return [...shares].map(([name, share]) => {
    // With few cases, outcomes are so discrete that paired intervals cover more than they must.
    const isConservative = name === "paired difference, 5 to 9 cases" || name.includes(" 2 to") || name.includes(" 98");
    const highest = isConservative && name.startsWith("paired") ? 1 : 0.97 + share.slack(0.97);
    const limits = name.endsWith("all") ? ([0.93, 0.97] as const) : ([0.93 - share.slack(0.93), highest] as const);
    return { name: `coverage of 95 % intervals: ${name}`, count: share.count, value: share.value, limits };
  });
}

/** Engines with the same mean pass rate, whose rates differ from case to case. */
function addAlarms(shares: Shares, size: Size, random: Random): void {
  const { rate } = drawRate(random);
  const passes = simulate({ ...drawTruth(random), rates: [rate, rate, rate] }, size, random);
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 2],
  ].map((columns) => pairsOf(passes, size, columns));
  const pValues = pairs.map((pair) => permutationTest(differencesOf(pair)).pValue);
  add(shares, "permutation test", (pValues[0] ?? 1) <= ALPHA);
  add(shares, "three engines, Holm", Math.min(...holmCorrection(pValues)) <= ALPHA);
  const [first = []] = pairs;
  add(shares, "paired interval without 0", !contains(pairedDifference(first), 0));
  add(shares, "sequential test", sequentialTest(differencesOf(first), { cases: size.cases }).decision === "different");
  if (size.iterations > 1) return;
  const count = (sign: number): number => differencesOf(first).filter((value) => Math.sign(value) === sign).length;
  const { exact, midP } = mcnemarTest(count(1), count(-1));
  add(shares, "exact McNemar test", exact <= ALPHA);
  add(shares, "mid-p McNemar test", midP <= ALPHA);
}

function alarmFigures(shares: Shares): Figure[] {
  return [...shares].map(([name, share]) => {
    const limits = [0, ALPHA + share.slack(ALPHA)] as const;
    return { name: `false alarms: ${name}`, count: share.count, value: share.value, limits };
  });
}

/** Power of the fixed design and of sequential stopping, at the difference that was planned for. */
export function simulatePower(evaluations: number, seed: number): Figure[] {
  const random = createRandom(seed);
  const designs = [30, 60, 100].flatMap((cases) => [1, 3].map((iterations) => ({ cases, iterations })));
  const runs = { null: 0, alternative: 0 };
  const fixed = new Share();
  const sequential = new Share();
  const plans = designs.map((size) => {
    const spreads = { caseSpread: 2, engineSpread: 0.7 };
    const { within, between } = correlationsOf({ ...spreads, rates: [0.5] });
    const plan = { ...size, caseCorrelation: within, engineCorrelation: between };
    return { size, spreads, difference: minimumDetectableDifference(plan) ?? 1 };
  });
  for (let index = 0; index < evaluations; index += 1) {
    const { size, spreads, difference } = pick(plans, random);
    for (const gap of [0, difference]) {
      const passes = simulate({ ...spreads, rates: [0.5 + gap / 2, 0.5 - gap / 2] }, size, random);
      const differences = differencesOf(pairsOf(passes, size));
      const { decision, cases } = sequentialTest(differences, { cases: size.cases });
      runs[gap === 0 ? "null" : "alternative"] += cases / size.cases / evaluations;
      if (gap === 0) continue;
      fixed.add(permutationTest(differences).pValue <= ALPHA);
      sequential.add(decision === "different");
    }
  }
  const slack = 2.6 * Math.sqrt(0.02 / evaluations);
  const about = { count: evaluations };
  return [
    { ...about, name: "power of the fixed design, planned for 80 %", value: fixed.value, limits: [0.77, 0.83] },
    { ...about, name: "power of sequential stopping", value: sequential.value },
    {
      ...about,
      name: "power lost by sequential stopping",
      value: fixed.value - sequential.value,
      limits: [-1, 0.01 + (evaluations < 10_000 ? slack : 0)],
    },
    { ...about, name: "runs of sequential stopping without a difference", value: runs.null, limits: [0, 1] },
    {
      ...about,
      name: "runs of sequential stopping with the planned difference",
      value: runs.alternative,
      limits: [0, 1],
    },
  ];
}

/** Returns the figures that are outside their limits. */
export function failuresOf(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ value, limits: [low, high] = [-1, 1] }) => !(low <= value && value <= high));
}
