import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importDistances } from "../src/import-distance.mjs";
import { findPackages } from "../src/workspace-packages.mjs";

const FILES = {
  "packages/shop/package.json": JSON.stringify({
    name: "@fixture/shop",
    exports: { ".": { "@switchyard/source": "./src/index.ts", default: "./dist/index.js" } },
  }),
  "packages/shop/src/index.ts": 'export { rounded } from "./rounded.ts";',
  "packages/shop/src/rounded.ts": "export const rounded = Math.round;",
  "packages/shop/src/rounded.test.ts": 'import { rounded } from "./rounded.ts";',
  "packages/till/package.json": JSON.stringify({ name: "@fixture/till" }),
  "packages/till/src/pay.ts": 'import { rounded } from "@fixture/shop"; import "node:fs"; import "./gone.ts";',
  "packages/till/src/pay.test.ts": 'const { pay } = await import("./pay.ts");',
};

test("counts the imports between a test and a source, also through the name of a package", () => {
  const root = mkdtempSync(join(tmpdir(), "imports-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const distance = importDistances(root, findPackages(root));
  expect(distance("packages/shop/src/rounded.test.ts", "packages/shop/src/rounded.ts")).toBe(1);
  expect(distance("packages/till/src/pay.test.ts", "packages/shop/src/rounded.ts")).toBe(3);
  expect(distance("packages/shop/src/rounded.test.ts", "packages/till/src/pay.ts")).toBe(Number.POSITIVE_INFINITY);
});
