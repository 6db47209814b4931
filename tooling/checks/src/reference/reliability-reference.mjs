// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../repository.mjs";
import { renderTable } from "./markdown-table.mjs";

const RESULTS = join(ROOT, "tooling/deep/results");

/** Renders docs/reference/reliability.md from the stored results of the deep suites. @returns {string} */
export function reliabilityReference() {
  const files = existsSync(RESULTS) ? readdirSync(RESULTS).filter((file) => file.endsWith(".json")) : [];
  return [
    "# Reliability figures",
    "",
    "<!-- Generated from tooling/deep/results by `pnpm test:deep --save` and `pnpm docs:update`. -->",
    "",
    "Each section of this page describes one test suite of `pnpm test:deep`, whose test cases are generated from a seed, and shows the results of its last",
    "full run. `npm test` runs a short version of every suite. Each suite is also run against faulty implementations, which the suite must detect.",
    "",
    ...files.sort().flatMap(sectionOf),
  ].join("\n");
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function sectionOf(file) {
  const name = file.replace(/\.json$/, "");
  const { title, seed, cases, seconds, figures, failures } = JSON.parse(readFileSync(join(RESULTS, file), "utf8"));
  const rows = Object.entries({
    Cases: cases,
    ...figures,
    Failures: failures,
    Seed: seed,
    "Duration in seconds": seconds,
  });
  return [
    `## ${name}`,
    "",
    title,
    "",
    ...renderTable(
      ["Figure", "Value"],
      rows.map(([label, value]) => [label, typeof value === "number" ? value.toLocaleString("en-US") : String(value)]),
    ),
    "",
    `To repeat the tests of this suite, run \`pnpm test:deep --only ${name} --seed ${seed}\`.`,
    "",
  ];
}
