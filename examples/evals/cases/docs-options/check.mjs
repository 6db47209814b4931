import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const rows = readFileSync("README.md", "utf8").split("\n").filter((line) => /^\|.*--\w/.test(line));
const documented = new Map(rows.map((row) => [/--[\w-]+/.exec(row)?.[0], row.split("|").at(-2).trim()]));
const names = [...documented.keys()].filter((name) => name !== "--help").sort();
assert.deepEqual(names, ["--format", "--keep-metadata", "--quality", "--width"]);
assert.match(documented.get("--width"), /\b800\b/);
assert.match(documented.get("--quality"), /\b82\b/);
