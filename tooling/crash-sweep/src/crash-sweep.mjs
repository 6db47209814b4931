// @ts-check
// `pnpm test:crash [--short] [--seed N] [--only CASE]`: kills durable runs and checks what they leave.
import { parseArgs } from "node:util";
import { renderResultLine } from "@switchyard/suite/result-line";
import { runReference } from "./driver/reference-run.mjs";
import { runNamedCase } from "./driver/run-named-case.mjs";
import { straceProblem } from "./driver/strace.mjs";
import { renderProblems, renderSummary } from "./driver/summary.mjs";
import { runSweep } from "./driver/sweep.mjs";

const { values } = parseArgs({
  options: { short: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
});
const seed = Number(values.seed ?? 1);
if (values.only === undefined) await sweep({ seed, short: values.short === true });
else await repeat(values.only);

/**
 * @param {{ seed: number, short: boolean }} extent
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
    variant: name.startsWith("sqlite/") ? "sqlite" : "file",
    traced: straceProblem() === undefined,
  });
  const outcome = await runNamedCase(name, final);
  for (const moment of outcome.history.moments) console.log(JSON.stringify(moment));
  console.log(JSON.stringify(outcome.history.ledger));
  console.log(renderProblems(outcome).join("\n") || "No promise was broken.");
  process.exitCode = outcome.violations.length === 0 ? 0 : 1;
}
