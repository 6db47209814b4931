import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const lines = readFileSync("top.csv", "utf8").trim().split(/\r?\n/);
assert.deepEqual(lines, ["code,count", "E_TIMEOUT,9", "E_AUTH,6", "E_DISK,6"]);
