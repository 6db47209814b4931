// Runs the tasks with engines whose success rates are known, and checks that `switchyard eval` reports these rates.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { EvalResults } from "@switchyard/evaluation";
import { checkExtremes, checkFrontier, checkScripted } from "./check-results.ts";
import { runScripted } from "./run-scripted.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    iterations: { type: "string", default: "2" },
    "all-engines": { type: "boolean", default: false },
  },
});
const iterations = Number(values.iterations);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => String(index + 1));
assert.ok(iterations >= 2 && seeds.length >= 1, "Usage: --seeds COUNT (1 or more) --iterations COUNT (2 or more)");

const folder = await mkdtemp(join(tmpdir(), "example-evals-"));
try {
  const isLarge = values["all-engines"];
  const extremes = isLarge ? ["oracle", "nothing", "mistaken"] : ["oracle", "nothing"];
  const certain = await runScripted(extremes, { folder: join(folder, "extremes"), seed: "1", iterations: 1 });
  checkExtremes(certain);
  checkFrontier(certain, ["oracle", "nothing"]);
  print(certain);
  const covered: boolean[] = [];
  const found: boolean[] = [];
  for (const seed of seeds) {
    const results = await runScripted(["steady", "quick"], { folder: join(folder, seed), seed, iterations });
    const checked = checkScripted(results, { seed, iterations });
    covered.push(...checked.covered);
    found.push(checked.isDifferenceFound);
    checkFrontier(results, ["steady", "quick"]);
    print(results);
  }
  const shareOf = (outcomes: readonly boolean[]): number => outcomes.filter(Boolean).length / outcomes.length;
  console.log(`${covered.filter(Boolean).length} of ${covered.length} intervals contain the true value.`);
  console.log(`The difference of 20 points was found with ${found.filter(Boolean).length} of ${found.length} seeds.`);
  // With a fixed seed, all outcomes are known. With many seeds, one confidence interval in twenty misses the true value.
  assert.ok(shareOf(covered) >= (seeds.length === 1 ? 1 : 0.8));
  assert.ok(shareOf(found) >= (seeds.length === 1 ? 1 : 0.6));
} finally {
  await rm(folder, { recursive: true, force: true });
}

function print({ groups }: EvalResults): void {
  for (const { engine, counts, pass_rate_interval: interval } of groups) {
    const [low, high] = [interval?.low ?? 0, interval?.high ?? 1].map((rate) => Math.round(rate * 100));
    console.log(`${engine.padEnd(9)}${String(counts.passed).padStart(4)} of ${counts.total} passed, ${low}–${high} %`);
  }
}
