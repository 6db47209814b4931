// @ts-check
// Run in docs/: every ```ts block of the documentation and the READMEs type-checks, and those marked `run` run.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { compileExamples, readExamples, runExample } from "./documentation-examples.mjs";
import { filesBelow, ROOT } from "./repository.mjs";

const readmes = filesBelow(ROOT, (path) => /^(README\.md|(packages|apps|examples)\/[^/]+\/README\.md)$/.test(path));
const pages = filesBelow(join(ROOT, "docs"), (path) => path.endsWith(".md")).map((path) => `docs/${path}`);
const examples = [...readmes, ...pages].flatMap((document) => readExamples(ROOT, document));

// Below docs/, so that package names resolve as for users.
const workshop = join(process.cwd(), ".cache/blocks");
const typeProblems = compileExamples(examples, workshop);
const problems = typeProblems.length > 0 ? typeProblems : examples.flatMap((example) => runExample(example, workshop));
rmSync(workshop, { recursive: true, force: true });
reportOutcome({ problems, passed: problems.length === 0 ? examples.length : 0 });
