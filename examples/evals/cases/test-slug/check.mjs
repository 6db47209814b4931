import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const source = readFileSync("slug.mjs", "utf8");
const passes = (text) => {
  writeFileSync("slug.mjs", text);
  return spawnSync(process.execPath, ["slug.test.mjs"]).status === 0;
};
assert.ok(existsSync("slug.test.mjs"), "there is no slug.test.mjs");
assert.ok(passes(source), "the tests fail");
const faults = { "accents are kept": ['.replace(/\\p{Mn}/gu, "")', ""], "dashes at the ends are kept": ['.replace(/^-+|-+$/g, "")', ""] };
for (const [name, [old, changed]] of Object.entries(faults)) {
  assert.ok(source.includes(old), name);
  assert.ok(!passes(source.replace(old, changed)), `the tests do not notice that ${name}`);
}
writeFileSync("slug.mjs", source);
