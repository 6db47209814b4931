import { describe, expect, test } from "vitest";
import {
  createRandom,
  differencesOf,
  flakeTest,
  holmCorrection,
  krippendorffAlpha,
  lookTimes,
  mcnemarTest,
  minimumDetectableDifference,
  pairedDifference,
  paretoFrontier,
  passAtK,
  passHatK,
  passRateInterval,
  permutationTest,
  sequentialTest,
  spentAlpha,
  wilsonInterval,
} from "./index.ts";

const pass = (passed: number, runs: number): { passed: number; runs: number } => ({ passed, runs });

describe("published values", () => {
  test("Wilson intervals of Newcombe 1998, table I", () => {
    const rounded = (passed: number, runs: number): number[] =>
      Object.values(wilsonInterval(pass(passed, runs))).map((value) => Math.round(value * 10_000) / 10_000);
    expect(rounded(81, 263)).toEqual([0.2553, 0.3662]);
    expect(rounded(15, 148)).toEqual([0.0624, 0.1605]);
    expect(rounded(0, 20)).toEqual([0, 0.1611]);
    expect(rounded(1, 29)).toEqual([0.0061, 0.1718]);
  });

  test("McNemar's test of airway hyper-responsiveness in Fagerland, Lydersen and Laake 2013", () => {
    const { exact, midP } = mcnemarTest(1, 7);
    expect(exact).toBeCloseTo(0.0703, 4);
    expect(midP).toBeCloseTo(0.0391, 4);
  });

  test("the permutation test of Darwin's maize in Fisher 1935: 1,726 of 32,768 permutations", () => {
    const heights = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(permutationTest(heights)).toEqual({ pValue: expect.closeTo(1_726 / 32_768, 12), method: "exact" });
  });

  test("Fisher's lady tasting tea", () => {
    expect(flakeTest(pass(3, 4), { history: pass(1, 4) }).changePValue).toBeCloseTo(0.4857, 4);
  });

  test("the spending function of Lan and DeMets 1983 at five equal looks", () => {
    const spent = [0.2, 0.4, 0.6, 0.8, 1].map((share) => spentAlpha(share, 0.05));
    expect(spent.map((value) => Number(value.toFixed(5)))).toEqual([0, 0.00079, 0.00762, 0.02442, 0.05]);
  });

  test("Holm's adjustment, as in the documentation of R's p.adjust", () => {
    expect(holmCorrection([0.01, 0.02, 0.03, 0.04, 0.05]).map((value) => Number(value.toFixed(4)))).toEqual([
      ...[0.05, 0.08, 0.09, 0.09, 0.09],
    ]);
    expect(holmCorrection([0.04, 0.001])).toEqual([0.04, 0.002]);
    expect(holmCorrection([])).toEqual([]);
  });

  const _ = undefined;

  /** Returns the values by unit, given those by observer. */
  const byUnit = (observers: readonly (readonly (number | undefined)[])[]): (number | undefined)[][] =>
    (observers[0] ?? []).map((_value, unit) => observers.map((values) => values[unit]));

  const rounded = (value: number | undefined): number => Math.round((value ?? Number.NaN) * 1_000) / 1_000;

  test("alpha of two observers in Krippendorff 2011, sections A and B", () => {
    const binary = [
      [0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
      [1, 1, 1, 0, 0, 1, 0, 0, 0, 0],
    ];
    expect(rounded(krippendorffAlpha(byUnit(binary), "nominal"))).toBe(0.095);
    const letters = ["aabbdcccedda", "babbbccceddd"].map((text) => [...text].map((letter) => letter.charCodeAt(0)));
    expect(rounded(krippendorffAlpha(byUnit(letters), "nominal"))).toBe(0.692);
  });

  test("alpha of four observers with missing values in Krippendorff 2011, sections C and D", () => {
    const observers = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
      [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ];
    const levels = ["nominal", "ordinal", "interval"] as const;
    const alphas = levels.map((level) => rounded(krippendorffAlpha(byUnit(observers), level)));
    expect(alphas).toEqual([0.743, 0.815, 0.849]);
  });

  test("alpha has no value without pairs or without different values, and is 1 for perfect agreement", () => {
    expect(krippendorffAlpha([[1, _], [2]], "nominal")).toBeUndefined();
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [1, 1],
        ],
        "interval",
      ),
    ).toBeUndefined();
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [2, 2, 2],
        ],
        "ordinal",
      ),
    ).toBe(1);
    expect(
      krippendorffAlpha(
        [
          [0, 1],
          [1, 0],
        ],
        "nominal",
      ),
    ).toBeLessThan(0);
  });
});

describe("one engine", () => {
  test("pass@k and pass^k average to the same pass rate at k = 1 and need k runs", () => {
    expect([passAtK(pass(1, 4), 1), passHatK(pass(1, 4), 1)]).toEqual([0.25, 0.25]);
    expect(passAtK(pass(2, 4), 2)).toBeCloseTo(5 / 6, 12);
    expect(passHatK(pass(2, 4), 2)).toBeCloseTo(1 / 6, 12);
    expect([passAtK(pass(2, 4), 5), passHatK(pass(2, 4), 0)]).toEqual([undefined, undefined]);
  });

  test("repeating cases narrows an interval less than adding cases does", () => {
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const repeated = passRateInterval([pass(10, 10), pass(0, 10), pass(10, 10), pass(0, 10)]);
    const many = passRateInterval(Array.from({ length: 40 }, (_, index) => pass(index % 2, 1)));
    expect(width(repeated)).toBeGreaterThan(2 * width(many));
  });

  test("an interval contains the observed rate, even if all runs passed or all runs failed", () => {
    expect(passRateInterval([pass(3, 3), pass(3, 3)]).high).toBe(1);
    expect(passRateInterval([pass(0, 3), pass(0, 3)]).low).toBe(0);
    expect(passRateInterval([pass(2, 2)])).toEqual(wilsonInterval(pass(2, 2)));
    expect(passRateInterval([])).toEqual({ low: 0, high: 1 });
  });

  test("a case is flaky beyond the tolerance only if its rarer outcome is frequent", () => {
    expect(flakeTest(pass(9, 10))).toMatchObject({ isFlaky: true, pValue: expect.closeTo(0.4013, 4) });
    expect(flakeTest(pass(5, 10)).pValue).toBeLessThan(0.001);
    expect(flakeTest(pass(10, 10))).toEqual({ ...pass(10, 10), isFlaky: false, pValue: 1, changePValue: undefined });
    expect(flakeTest(pass(0, 5), { history: pass(20, 20) }).changePValue).toBeLessThan(0.001);
  });
});

describe("two engines", () => {
  test("for one run per case, the permutation test equals the exact McNemar test", () => {
    for (const [left, right] of [
      [1, 7],
      [12, 30],
      [4, 4],
      [0, 3],
    ] as const) {
      const differences = [...Array(left).fill(1), ...Array(right).fill(-1), 0, 0];
      expect(permutationTest(differences).pValue).toBeCloseTo(mcnemarTest(left, right).exact, 12);
    }
  });

  test("random permutations give nearly the exact p-value, and the same one for the same seed", () => {
    const random = createRandom(3);
    const differences = Array.from({ length: 14 }, () => random() - 0.35);
    const exact = permutationTest(differences);
    // Pairs of differences that cancel out change neither sum nor order of magnitude, but are too many to count.
    const more = [
      ...differences,
      ...[1, 2, 3].flatMap((size) => [size * Math.SQRT2 * 1e-9, -size * Math.SQRT2 * 1e-9]),
    ];
    const drawn = permutationTest(more, { seed: 5 });
    expect([exact.method, drawn.method]).toEqual(["exact", "monte_carlo"]);
    expect(Math.abs(exact.pValue - drawn.pValue)).toBeLessThan(0.01);
    expect(permutationTest(more, { seed: 5 })).toEqual(drawn);
  });

  test("a paired interval contains the observed difference and is symmetric in the engines", () => {
    const pairs = [0, 1, 2, 3, 3, 2].map((passed, index) => ({ left: pass(passed, 3), right: pass(index % 2, 2) }));
    const there = pairedDifference(pairs);
    const back = pairedDifference(pairs.map(({ left, right }) => ({ left: right, right: left })));
    expect(there.difference).toBeCloseTo(differencesOf(pairs).reduce((sum, value) => sum + value, 0) / 6, 12);
    expect(there.low).toBeLessThan(there.difference);
    expect(there.high).toBeGreaterThan(there.difference);
    expect([back.low, back.high]).toEqual([expect.closeTo(-there.high, 12), expect.closeTo(-there.low, 12)]);
    expect(pairedDifference([])).toEqual({ difference: 0, low: -1, high: 1 });
  });

  test("more cases detect smaller differences, more iterations help less, and five cases detect no difference", () => {
    const at = (cases: number, iterations: number): number =>
      minimumDetectableDifference({ cases, iterations }) ?? Number.NaN;
    expect(minimumDetectableDifference({ cases: 5, iterations: 100 })).toBeUndefined();
    expect(at(40, 1)).toBeLessThan(at(20, 2));
    expect(at(20, 2)).toBeLessThan(at(20, 1));
    expect(at(100, 1)).toBeCloseTo(0.171, 3);
  });
});

describe("sequential stopping", () => {
  const plan = { cases: 40 };

  test("looks are at equal shares of the cases, and the last is at all of them", () => {
    expect(lookTimes(plan)).toEqual([10, 20, 30, 40]);
    expect(lookTimes({ cases: 3 })).toEqual([1, 2, 3]);
  });

  test("it continues until an interim analysis, stops early for a large difference, and never for one case at a time", () => {
    const ones = Array.from({ length: 40 }, () => 1);
    expect(sequentialTest([], plan)).toEqual({ decision: "continue", cases: 10 });
    expect(sequentialTest(ones.slice(0, 19), plan)).toEqual({ decision: "continue", cases: 20 });
    expect(sequentialTest(ones.slice(0, 20), plan)).toEqual({ decision: "different", cases: 20 });
    expect(sequentialTest(ones.slice(0, 3), { cases: 3 })).toEqual({ decision: "not_different", cases: 3 });
  });

  test("without a difference it stops when a difference is unlikely to be found, unless it is set to finish", () => {
    const none = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 1 : -1));
    expect(sequentialTest(none, plan)).toEqual({ decision: "not_different", cases: 30 });
    expect(sequentialTest(none, { ...plan, futility: 0 })).toEqual({ decision: "not_different", cases: 40 });
  });
});

describe("quality and cost", () => {
  const even = (value: number): number[] => Array.from({ length: 12 }, () => value);

  test("a dominated engine is not on the frontier, and engines that are close to each other cannot be distinguished", () => {
    const noisy = even(0).map((_, index) => (index % 2 === 0 ? 1 : 0));
    const close = noisy.map((value, index) => (index === 0 ? 0 : index === 1 || index === 3 ? 1 : value));
    const [cheap, dear, worse] = paretoFrontier([
      { quality: noisy, cost: even(1) },
      { quality: close, cost: even(2) },
      { quality: even(0.1), cost: even(3) },
    ]);
    expect(cheap).toEqual({ quality: 0.5, cost: 1, isOnFrontier: true, share: 1 });
    expect(dear?.isOnFrontier).toBe(true);
    expect(dear?.share).toBeGreaterThan(0.5);
    expect(dear?.share).toBeLessThan(0.95);
    expect(worse).toMatchObject({ isOnFrontier: false });
    expect(worse?.share).toBeLessThan(0.05);
  });

  test("the same seed gives the same shares", () => {
    const engines = [1, 2, 3].map((cost) => ({ quality: [0, 1, cost / 3], cost: even(cost).slice(0, 3) }));
    expect(paretoFrontier(engines, { seed: 9 })).toEqual(paretoFrontier(engines, { seed: 9 }));
  });
});
