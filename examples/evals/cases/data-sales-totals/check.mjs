import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

assert.deepEqual(JSON.parse(readFileSync("totals.json", "utf8")), { north: 1220, south: 64.75, east: 2000 });
