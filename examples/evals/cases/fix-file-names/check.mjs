import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

mkdirSync("a folder", { recursive: true });
writeFileSync("a folder/one.txt", "1\n2\n");
writeFileSync("a folder/two words.txt", "1\n");
const printed = execFileSync("sh", ["count-lines.sh", "a folder"], { encoding: "utf8" });
assert.deepEqual(printed.trim().split("\n").sort(), ["1 two words.txt", "2 one.txt"]);
