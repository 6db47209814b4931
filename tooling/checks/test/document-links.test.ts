import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenLinks, documentLinks, headingAnchors, unlistedDocuments } from "../src/document-links.mjs";
import { scratchFolder } from "./scratch-folder.ts";

test("links that lead to files, folders and headings raise nothing", () => {
  const root = scratchFolder({
    "docs/guide.md":
      "# Guide\n\n## Use it\n\nSee [this](#use-it), [code](../src/run.ts), [all](../src) and [top](../README.md#a-title).\n",
    "src/run.ts": "",
    "README.md": "# A `title`!\n",
  });
  expect(brokenLinks(root, "docs/guide.md")).toEqual([]);
});

test("a page that the index does not link to is a problem", () => {
  const root = scratchFolder({ "docs/README.md": "| Guides | [A](guides/a.md#use) · [B](guides/b.md) |\n" });
  const pages = ["docs/guides/a.md", "docs/guides/b.md", "docs/guides/c.md"];
  expect(unlistedDocuments(root, "docs/README.md", pages)).toEqual([
    "docs/README.md does not link to docs/guides/c.md.",
  ]);
});

test("a link to a missing source file is named with its line", () => {
  const root = scratchFolder({ "docs/guide.md": "# Guide\n\nSee [code](../src/gone.ts).\n" });
  expect(brokenLinks(root, "docs/guide.md")).toEqual([
    "docs/guide.md:3 links to ../src/gone.ts, which does not exist.",
  ]);
});

test("a link to a missing heading, in this or another document, is a problem", () => {
  const root = scratchFolder({ "a.md": "# A\n\n[one](#b) [two](b.md#a)\n", "b.md": "# B\n" });
  expect(brokenLinks(root, "a.md")).toEqual([
    "a.md:3 links to #b, but a.md has no such heading.",
    "a.md:3 links to #a, but b.md has no such heading.",
  ]);
});

test("a link out of the repository is a problem even where the file exists", () => {
  const root = scratchFolder({ "inside/a.md": "[out](../b.md)\n", "b.md": "" });
  expect(brokenLinks(`${root}/inside`, "a.md")).toEqual(["a.md:1 links to ../b.md, outside the repository."]);
});

test("reference links count; code, other hosts and headings in code do not", () => {
  const text = "[a]: one.md\n\n```md\n[x](two.md)\n```\n\n`[b](three.md)` [c](https://example.org/x.md)\n";
  expect(documentLinks(text).map(({ path }) => path)).toEqual(["one.md"]);
  expect([...headingAnchors("# Same\n\n```sh\n# no\n```\n\n## Same\n\n## [Link](x.md) & `code`\n")]).toEqual([
    "same",
    "same-1",
    "link--code",
  ]);
});

/** // By URL, because scripts/ belongs to no package that could be imported. */
const VENDOR_HOSTS = {
  "Codex CLI": "developers.openai.com",
  "Claude Agent SDK": "platform.claude.com",
  opencode: "opencode.ai",
  "AI SDK": "ai-sdk.dev",
  "OpenHands SDK": "docs.openhands.dev",
  Harbor: "harborframework.com",
};

test("the tools that the README compares link to the documentation of their vendors", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
  const [, section = ""] = text.split("## Compared with other tools\n");
  const links = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| \[([^\]]+)\]\((https:[^)]+)\)/gm)];
  expect(Object.fromEntries(links.map(([, tool = "", url = ""]) => [tool, new URL(url).hostname]))).toEqual(
    VENDOR_HOSTS,
  );
  expect(section).toMatch(/^\s*As of \w+ 20\d\d\./);
});
