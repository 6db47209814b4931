import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const anchorsOf = (path) =>
  [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase().replaceAll(" ", "-"));
const links = [];
for (const page of ["guide/index.md", "faq.md"]) {
  for (const [, label, target] of readFileSync(page, "utf8").matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
    const [file, anchor] = target.split("#");
    const path = join(dirname(page), file);
    assert.ok(existsSync(path), `${page} links to ${target}`);
    if (anchor !== undefined) assert.ok(anchorsOf(path).includes(anchor), `${page} links to ${target}`);
    links.push([label, path, anchor]);
  }
}
assert.deepEqual(links, [
  ["setup", "guide/setup.md", "install-the-package"],
  ["how to configure it", "guide/setup.md", "configure-it"],
  ["questions", "faq.md", undefined],
  ["guide", "guide/index.md", undefined],
]);
