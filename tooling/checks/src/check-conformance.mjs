// @ts-check
// Compares docs/reference/loop-conformance.md with the requirements that tests cite. `--update` writes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { compareGenerated } from "./reference/generated-files.mjs";
import { ROOT } from "./repository.mjs";
import { citationsBelow } from "./requirements/citations.mjs";
import { loopConformance } from "./requirements/loop-conformance.mjs";
import { readSpecification } from "./requirements/specification.mjs";

const file = "coding-agent-loop.yaml";
const specification = readSpecification(file, readFileSync(join(ROOT, "spec", file), "utf8"));
const text = loopConformance(specification, citationsBelow(ROOT));
const files = [{ path: "docs/reference/loop-conformance.md", text }];
const update = process.argv.includes("--update");
const problems = compareGenerated(files, { root: ROOT, update, command: "pnpm docs:update" });
reportOutcome({ problems, passed: files.length - problems.length });
