// @ts-check
// Every relative link in a Markdown document leads to a file, folder or heading of this repository, source files included.
// docs/README.md and docs/concepts/README.md link to every page below docs/.
import { reportOutcome } from "@switchyard/suite/result-line";
import { brokenLinks, unlistedDocuments } from "./document-links.mjs";
import { filesBelow, ROOT } from "./repository.mjs";

const GENERATED_API = /(^|\/)etc\/.*\.api\.md$/;
/** Tasks of an evaluation, one of which is to correct broken links. */
const TASKS = "examples/evals/cases/";
const documents = filesBelow(
  ROOT,
  (path) => path.endsWith(".md") && !GENERATED_API.test(path) && !path.startsWith(".git/") && !path.startsWith(TASKS),
);
const [concepts, pages] = [true, false].map((isConcept) =>
  documents.filter((path) => /^docs\/[^/]+\//.test(path) && path.startsWith("docs/concepts/") === isConcept),
);
const problems = [
  ...documents.flatMap((document) => brokenLinks(ROOT, document)),
  ...unlistedDocuments(ROOT, "docs/README.md", pages ?? []),
  ...unlistedDocuments(
    ROOT,
    "docs/concepts/README.md",
    (concepts ?? []).filter((path) => !path.endsWith("README.md")),
  ),
];
reportOutcome({ problems, passed: problems.length === 0 ? documents.length : 0 });
