// @ts-check
// Compares the generated reference pages for errors, exit codes, events and reliability figures with their sources.
// `--update` writes them. Also checks the wording of error messages.
import { reportOutcome } from "@switchyard/suite/result-line";
import { foreignWordings } from "./error-wording.mjs";
import { errorReference } from "./reference/error-reference.mjs";
import { eventReference } from "./reference/event-reference.mjs";
import { exitCodeReference } from "./reference/exit-code-reference.mjs";
import { compareGenerated } from "./reference/generated-files.mjs";
import { reliabilityReference } from "./reference/reliability-reference.mjs";
import { ROOT } from "./repository.mjs";

const files = [
  { path: "docs/reference/errors.md", text: errorReference() },
  { path: "docs/reference/events.md", text: eventReference() },
  { path: "docs/reference/exit-codes.md", text: exitCodeReference() },
  { path: "docs/reference/reliability.md", text: reliabilityReference() },
];
const update = process.argv.includes("--update");
const outdated = compareGenerated(files, { root: ROOT, update, command: "pnpm docs:update" });
reportOutcome({ problems: [...outdated, ...foreignWordings(ROOT)], passed: files.length - outdated.length });
