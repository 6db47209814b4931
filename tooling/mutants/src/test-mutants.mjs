// @ts-check
// `pnpm test:mutants [--seed N] [--count N] [--only FOLDER] [--mutant ID] [--parallel N] [--list]`: makes one change in
// a source file at a time and checks that a test fails.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderResultLine } from "@switchyard/suite/result-line";
import { equivalentMutants } from "./equivalent-mutants.mjs";
import { renderMutant, runMutants } from "./run-mutants.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    only: { type: "string" },
    mutant: { type: "string", multiple: true },
    parallel: { type: "string", default: "1" },
    dependents: { type: "string", default: "40" },
    list: { type: "boolean", default: false },
  },
});
// Ends the test processes, which listen to this one's exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const seed = numberOf("--seed", values.seed);
const outcome = await runMutants({
  root: join(import.meta.dirname, "../../.."),
  seed,
  count: numberOf("--count", values.count),
  only: values.only,
  ids: values.mutant,
  parallel: numberOf("--parallel", values.parallel),
  dependents: numberOf("--dependents", values.dependents),
  listOnly: values.list,
  equivalent: equivalentMutants(),
  log: (line) => console.error(line),
  report: (judged) => console.log(renderMutant(judged)),
});
const { detected, survived, equivalent, staleIds } = outcome;
for (const id of staleIds) console.log(`equivalent.json lists ${id}, which no longer exists.`);
console.log(`seed ${seed}: ${detected} detected, ${survived} survived, ${equivalent} equivalent`);
if (!values.list) {
  console.log(renderResultLine({ passed: detected + equivalent, failed: survived, skipped: [] }));
  process.exitCode = survived === 0 && detected > 0 ? 0 : 1;
}

/**
 * @param {string} flag
 * @param {string} text
 * @returns {number}
 */
function numberOf(flag, text) {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`${flag} takes a whole number, not "${text}".`);
  return process.exit(2);
}
