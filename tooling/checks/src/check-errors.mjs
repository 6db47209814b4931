// @ts-check
// Are docs/reference/errors.md and events.md what the tables in contracts say? `--update` writes them.
import { reportOutcome } from "@switchyard/suite/result-line";
import { errorReference } from "./error-reference.mjs";
import { eventReference } from "./event-reference.mjs";
import { compareGenerated } from "./generated-files.mjs";
import { ROOT } from "./repository.mjs";

const files = [
  { path: "docs/reference/errors.md", text: errorReference() },
  { path: "docs/reference/events.md", text: eventReference() },
];
const update = process.argv.includes("--update");
const problems = compareGenerated(files, { root: ROOT, update, command: "pnpm docs:update" });
reportOutcome({ problems, passed: files.length - problems.length });
