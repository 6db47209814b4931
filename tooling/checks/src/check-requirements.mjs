// @ts-check
// Lists the requirements of spec/*.yaml that no test cites yet. Writes .cache/requirements.md and fails if a required
// citation is missing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { filesBelow, ROOT } from "./repository.mjs";
import { citationsBelow } from "./requirements/citations.mjs";
import { judgeCoverage, renderCoverage } from "./requirements/requirement-coverage.mjs";
import { readSpecification } from "./requirements/specification.mjs";

const specifications = filesBelow(join(ROOT, "spec"), (path) => path.endsWith(".yaml")).map((file) =>
  readSpecification(file, readFileSync(join(ROOT, "spec", file), "utf8")),
);
const { coverages, problems } = judgeCoverage(specifications, citationsBelow(ROOT));
const report = join(ROOT, ".cache/requirements.md");
mkdirSync(dirname(report), { recursive: true });
writeFileSync(report, renderCoverage(coverages));
for (const { specification, musts, uncited } of coverages) {
  console.log(`${specification.name}: ${musts - uncited.length} of ${musts} MUSTs cited`);
}
reportOutcome({ problems, passed: problems.length === 0 ? coverages.length : 0 });
