// @ts-check
// `pnpm test:crash [--short] [--seed N] [--parallel N] [--only CASE]`: kills durable runs and checks the remaining
// data.
import { parseArgs } from "node:util";
import { renderResultLine } from "@switchyard/suite/result-line";
import { variantIn } from "./driver/case-name.mjs";
import { runReference } from "./driver/reference-run.mjs";
import { runNamedCase } from "./driver/run-named-case.mjs";
import { straceProblem } from "./driver/strace.mjs";
import { renderProblems, renderSummary } from "./driver/summary.mjs";
import { runSweep } from "./driver/sweep.mjs";
import { modelOf } from "./variants/variants.mjs";

/** @import { Extent } from "./driver/plan-cases.mjs" */

const { values } = parseArgs({
  options: {
    short: { type: "boolean" },
    seed: { type: "string" },
    parallel: { type: "string" },
    only: { type: "string" },
  },
});
const seed = Number(values.seed ?? 1);
const parallel = values.parallel === undefined ? {} : { parallel: Number(values.parallel) };
if (values.only === undefined) await sweep({ seed, short: values.short === true, ...parallel });
else await repeat(values.only);

/**
 * @param {Extent} extent
 * @returns {Promise<void>}
 */
async function sweep(extent) {
  const { summary, boundaries, problems, passed, skipped } = await runSweep(extent, (line) => console.error(line));
  for (const problem of problems) console.log(`${problem}\n`);
  console.log(renderSummary(summary, { boundaries, seed: extent.seed }));
  console.log(renderResultLine({ passed, failed: problems.length, skipped }));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/**
 * @param {string} name
 * @returns {Promise<void>}
 */
async function repeat(name) {
  const { final } = await runReference({
    variant: modelOf(variantIn(name)),
    traced: straceProblem() === undefined,
  });
  const outcome = await runNamedCase(name, final);
  for (const moment of outcome.history.moments) console.log(JSON.stringify(moment));
  console.log(JSON.stringify(outcome.history.ledger));
  console.log(renderProblems(outcome).join("\n") || "No promise was broken.");
  process.exitCode = outcome.violations.length === 0 ? 0 : 1;
}
