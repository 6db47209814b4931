import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { renderReport } from "../src/report/render-report.mjs";

test("the page and its plots contain what the model computes", async () => {
  for (const [path, text] of Object.entries(renderReport())) {
    const stored = await readFile(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
    expect(stored, `run \`pnpm docs:update\` to write docs/${path}`).toBe(text);
  }
});
