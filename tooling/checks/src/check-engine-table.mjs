// @ts-check
// Checks that the table of engines and environments in the guide equals the combinations that the task tests run.
// `--update` writes the table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { compareGenerated } from "./reference/generated-files.mjs";
import { ROOT } from "./repository.mjs";

/** @typedef {{ environments: Record<string, string>, engines: { title: string, lacks: string[] }[] }} EngineTable */

const BLOCK = /(<!-- engines: .* -->\n)[\s\S]*?(<!-- \/engines -->)/;

/** @type {EngineTable} */
const table = JSON.parse(readFileSync(join(ROOT, "packages/environment/test/task/engines.json"), "utf8"));
const environments = [...new Set(Object.values(table.environments))];
const rows = [
  ["Engine", ...environments.map((environment) => `\`${environment}\``)],
  ["---", ...environments.map(() => ":-:")],
  ...table.engines.map(({ title, lacks }) => [
    title,
    ...environments.map((environment) => (lacks.includes(environment) ? "–" : "✓")),
  ]),
];
const text = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
const PAGE = "docs/guides/environments.md";
const page = readFileSync(join(ROOT, PAGE), "utf8");
const problems = BLOCK.test(page)
  ? compareGenerated([{ path: PAGE, text: page.replace(BLOCK, `$1\n${text}\n$2`) }], {
      root: ROOT,
      update: process.argv.includes("--update"),
      command: "pnpm docs:update",
    })
  : [`${PAGE} has no block for the table of engines.`];
reportOutcome({ problems, passed: 1 - problems.length });
