// @ts-check
// `pnpm test:deep [--only SUITE] [--seed N] [--count N] [--case N] [--save]`: runs the long generated suites.
import { parseArgs } from "node:util";
import { renderResultLine } from "@switchyard/suite/result-line";
import { storeResult } from "./stored-results.mjs";
import { SUITES } from "./suites.mjs";

/** @import { DeepSuite } from "./deep-suite.mjs" */

const SHOWN_FAILURES = 20;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    seed: { type: "string", default: "1" },
    count: { type: "string" },
    case: { type: "string" },
    save: { type: "boolean", default: false },
  },
});
const names = values.only ?? Object.keys(SUITES);
const seed = numberOf("--seed", values.seed);
let [passed, failed] = [0, 0];
/** @type {{ name: string, reason: string }[]} */
const skipped = [];
for (const name of names) {
  const load = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
  if (load === undefined) stop(`No suite named "${name}". The suites are: ${Object.keys(SUITES).join(", ")}.`);
  await runSuite(await load());
}
console.log(renderResultLine({ passed, failed, skipped }));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/**
 * @param {DeepSuite} suite
 * @returns {Promise<void>}
 */
async function runSuite(suite) {
  const one = values.case === undefined ? undefined : numberOf("--case", values.case);
  const wanted = values.count === undefined ? suite.counts.deep : numberOf("--count", values.count);
  const extent = one === undefined ? { first: 0, count: wanted } : { first: one, count: 1 };
  console.log(`\n${suite.name}, seed ${seed}: ${suite.title}`);
  const startedAt = performance.now();
  const result = await suite.run({ seed, ...extent, log: (line) => console.error(`  ${line}`) });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const { cases, figures, failures } = result;
  const rows = Object.entries({ cases, ...figures, failures: failures.length, seconds });
  for (const [label, value] of rows) console.log(`  ${label.padEnd(44)}${String(value).padStart(12)}`);
  for (const failure of failures.slice(0, SHOWN_FAILURES)) {
    console.log(`  case ${failure.case}: ${failure.problem}`);
    console.log(`    repeat: pnpm test:deep --only ${suite.name} --seed ${seed} --case ${failure.case}`);
  }
  if (result.skipped !== undefined) {
    skipped.push({ name: suite.name, reason: result.skipped });
    return;
  }
  // A suite that ran fewer cases than requested has not proved its claim.
  const isShort = cases < extent.count;
  if (isShort) console.log(`  Only ${cases} of ${extent.count} cases ran.`);
  failed += failures.length + (isShort ? 1 : 0);
  passed += Math.max(0, cases - failures.length);
  if (values.save)
    storeResult(suite.name, { title: suite.title, seed, cases, seconds, figures, failures: failures.length });
}

/**
 * @param {string} flag
 * @param {string} text
 * @returns {number}
 */
function numberOf(flag, text) {
  if (!/^\d+$/.test(text)) stop(`${flag} takes a whole number, not "${text}".`);
  return Number(text);
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  console.error(message);
  process.exit(2);
}
