// @ts-check
// Checks that docs/reference/engine-map.md names an exported counterpart for every name of the engine specification.
// The argument can name another folder than the repository's.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { judgeEngineMap, readEngineMap, readExports } from "./engine-map.mjs";
import { ROOT } from "./repository.mjs";

const root = resolve(process.argv[2] ?? ROOT);
const read = (/** @type {string} */ path) => readFileSync(join(root, path), "utf8");
/** @type {Record<string, string[]>} */
const sections = JSON.parse(read("spec/engine-names.json"));
const names = Object.values(sections).flat();
const reports = ["packages/contracts/etc/index.api.md", "packages/engine/etc/index.api.md"];
const exports = new Map(reports.flatMap((path) => [...readExports(read(path))]));
const problems = judgeEngineMap({ names, rows: readEngineMap(read("docs/reference/engine-map.md")), exports });
reportOutcome({
  problems: problems.map((problem) => `docs/reference/engine-map.md: ${problem}`),
  passed: problems.length === 0 ? names.length : 0,
});
