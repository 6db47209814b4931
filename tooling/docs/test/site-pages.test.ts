import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { brokenPages } from "../src/broken-pages.mjs";
import { NAVIGATION, sidebars } from "../src/navigation.mjs";
import { rewriteLinks, sitePages } from "../src/site-pages.mjs";

const GUIDE = { source: "docs/guides/serve.md", page: "guides/serve.md" };

test("links between documents lead to their pages", () => {
  const text =
    "[a](operate-a-server.md) [b](../../packages/client/README.md#use) [c](../concepts/README.md) [d](#here)";
  expect(rewriteLinks(GUIDE, text)).toBe(
    "[a](./operate-a-server.md) [b](../packages/client.md#use) [c](../concepts/index.md) [d](#here)",
  );
});

test("links to other files and folders lead to the repository, and external ones stay", () => {
  const text = "[a](../../LICENSE) [b](../../fixtures/engines) [c](https://example.org/a.md)";
  expect(rewriteLinks(GUIDE, text)).toBe(
    "[a](https://github.com/switchyard/switchyard/blob/main/LICENSE) " +
      "[b](https://github.com/switchyard/switchyard/tree/main/fixtures/engines) [c](https://example.org/a.md)",
  );
});

test("images are loaded from the site", () => {
  expect(rewriteLinks(GUIDE, "![A run](../images/dashboard.png)")).toBe("![A run](../images/dashboard.png)");
});

test("every page is in a sidebar", () => {
  const links = new Set(
    Object.values(sidebars()).flatMap((groups) => groups.flatMap(({ items }) => items.map(({ link }) => link))),
  );
  const pages = sitePages().map(({ page }) => `/${page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`);
  const missing = pages.filter((page) => !links.has(page) && !page.startsWith("/examples/"));
  expect(missing).toEqual(["/packages/"]);
  expect(NAVIGATION.map(({ text }) => text)).toEqual(["Tutorials", "Guides", "Concepts", "Reference", "API"]);
});

test("pages that were not rendered, and links to missing pages and headings, are problems", () => {
  const site = mkdtempSync(join(tmpdir(), "switchyard-site-"));
  onTestFinished(() => rmSync(site, { recursive: true }));
  const files = {
    "index.html":
      '<h1 id="top"></h1><a href="/guides/a#one">1</a><a class="b" href="/guides/a#two">2</a><a href="/none">3</a>',
    "guides/a.html":
      '<h1></h1><h2 id="one"></h2><a href="./b">b</a><a href="../">home</a><a href="https://example.org">x</a>',
    "guides/b.html": '<a href="./a#one">a</a>',
  };
  for (const [path, html] of Object.entries(files)) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), html);
  }
  expect(brokenPages(site)).toEqual([
    "guides/b.html has no heading: it was not rendered.",
    "index.html links to /guides/a#two, which does not exist.",
    "index.html links to /none, which does not exist.",
  ]);
});
