import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const text = readFileSync("CHANGELOG.md", "utf8");
const [, version, newest, older] = /^## (\S+)\n([\s\S]*?)^## 1\.4\.0\n([\s\S]*)/m.exec(text) ?? [];
assert.equal(version, "2.0.0");
assert.match(older, /Keep long names/);
const parts = newest.split(/^### /m).slice(1).map((part) => {
  const [title, ...lines] = part.trim().split("\n");
  return [title, lines.filter((line) => line.startsWith("- ")).map((line) => line.toLowerCase())];
});
const sections = new Map(parts);
assert.deepEqual([...sections.keys()], ["Breaking", "Added", "Fixed"]);
assert.equal(sections.get("Breaking").length, 1);
assert.match(sections.get("Breaking")[0], /node\.js 18/);
assert.equal(sections.get("Added").length, 1);
assert.match(sections.get("Added")[0], /csv/);
assert.equal(sections.get("Fixed").length, 2);
assert.doesNotMatch(newest, /lock file|settings/i);
