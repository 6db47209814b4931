// @ts-check
// Compares docs/reference/providers.md with the tables in packages/llm. `--update` writes it.
import { reportOutcome } from "@switchyard/suite/result-line";
import { compareGenerated } from "./reference/generated-files.mjs";
import { providerReference } from "./reference/provider-reference.mjs";
import { ROOT } from "./repository.mjs";

const text = await providerReference();
const unsourced = text.split("\n").filter((line) => line.startsWith("| ") && /\|\s*\|$/.test(line));
const problems = [
  ...compareGenerated([{ path: "docs/reference/providers.md", text }], {
    root: ROOT,
    update: process.argv.includes("--update"),
    command: "pnpm docs:update",
  }),
  ...unsourced.map((line) => `docs/reference/providers.md: a row has no source: ${line.slice(0, 120)}`),
];
reportOutcome({ problems, passed: problems.length === 0 ? 1 : 0 });
