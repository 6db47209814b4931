// @ts-check
// Is the table of engines and places in README.md what the task tests run? `--update` writes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { compareGenerated } from "./reference/generated-files.mjs";
import { ROOT } from "./repository.mjs";

/** @typedef {{ places: Record<string, string>, engines: { title: string, lacks: string[] }[] }} EngineTable */

const BLOCK = /(<!-- engines: .* -->\n)[\s\S]*?(<!-- \/engines -->)/;

/** @type {EngineTable} */
const table = JSON.parse(readFileSync(join(ROOT, "packages/environment/test/task/engines.json"), "utf8"));
const places = [...new Set(Object.values(table.places))];
const rows = [
  ["Engine", ...places.map((place) => `\`${place}\``)],
  ["---", ...places.map(() => ":-:")],
  ...table.engines.map(({ title, lacks }) => [title, ...places.map((place) => (lacks.includes(place) ? "–" : "✓"))]),
];
const text = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const problems = BLOCK.test(readme)
  ? compareGenerated([{ path: "README.md", text: readme.replace(BLOCK, `$1\n${text}\n$2`) }], {
      root: ROOT,
      update: process.argv.includes("--update"),
      command: "pnpm docs:update",
    })
  : ["README.md has no place for the table of engines."];
reportOutcome({ problems, passed: 1 - problems.length });
