import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { markdownBlocks } from "../src/markdown-blocks.mjs";

const read = (document: string): string => readFileSync(join(import.meta.dirname, "../../..", document), "utf8");

/** The documents that show a newcomer how to install the command. */
const DOCUMENTS = ["README.md", "docs/tutorials/quick-start.md"];

test.each(DOCUMENTS)(
  "%s installs from the clone, marks the npm line, and warns of the unscoped package",
  (document) => {
    const text = read(document).replaceAll(/\s+/g, " ");
    const [first] = markdownBlocks(read(document)).filter(({ language }) => language === "sh");
    expect(first?.code).toBe("npm run install:cli");
    for (const [sentence] of text.matchAll(/[^.]*npm (?:i|install) (?:-g|--global) @switchyard\/cli/g)) {
      expect(sentence).toMatch(/once .* is published/i);
    }
    expect(text).toMatch(/`switchyard`[^.]*is an unrelated project[.:] [Dd]o not run `npx switchyard`/);
  },
);

test("no example runs the unscoped package", () => {
  for (const document of DOCUMENTS) {
    for (const { code } of markdownBlocks(read(document))) expect(code).not.toMatch(/\bnpx (-y )?switchyard\b/);
  }
});

test("the README is a page of at most 150 lines, with few links after each other", () => {
  const lines = read("README.md").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(150);
  // The list of further documents names at most six of each kind.
  const rows = lines.filter((line) => /^\| (Tutorials|Concepts|Guides|Reference|Project) \|/.test(line));
  expect(rows).toHaveLength(5);
  for (const row of rows) expect(row.split("](").length - 1).toBeLessThanOrEqual(6);
});
