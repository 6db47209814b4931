// @ts-check
// Every relative link in a Markdown document leads to a file, folder or heading of this repository, source files included.
import { reportOutcome } from "@switchyard/suite/result-line";
import { brokenLinks } from "./document-links.mjs";
import { filesBelow, ROOT } from "./repository.mjs";

const GENERATED_API = /(^|\/)etc\/.*\.api\.md$/;
/** Tasks of an evaluation, one of which is to correct broken links. */
const TASKS = "examples/evals/cases/";
const documents = filesBelow(
  ROOT,
  (path) => path.endsWith(".md") && !GENERATED_API.test(path) && !path.startsWith(".git/") && !path.startsWith(TASKS),
);
const problems = documents.flatMap((document) => brokenLinks(ROOT, document));
reportOutcome({ problems, passed: problems.length === 0 ? documents.length : 0 });
