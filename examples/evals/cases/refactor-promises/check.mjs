import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { readConfig, readConfigs } from "./config.mjs";

writeFileSync("a.json", '{"a": 1, "b": 1}');
writeFileSync("b.json", '{"b": 2}');
writeFileSync("broken.json", "{");
assert.deepEqual(await readConfig("a.json"), { a: 1, b: 1 });
assert.deepEqual(await readConfigs("a.json", "b.json"), { a: 1, b: 2 });
await assert.rejects(readConfig("missing.json"), { code: "ENOENT" });
await assert.rejects(readConfigs("a.json", "broken.json"), SyntaxError);
assert.doesNotMatch(readFileSync("config.mjs", "utf8"), /callback/);
