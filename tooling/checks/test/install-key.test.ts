import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../src/repository.mjs";
import { scratchFolder } from "./scratch-folder.ts";

// By URL: scripts/ belongs to no package that could be imported.
const { installKey, isComplete } = await import(pathToFileURL(join(ROOT, "scripts/install-key.mjs")).href);

function workspace(): string {
  return scratchFolder({
    "package.json": "{}",
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - docs\n\ncatalog:\n  zod: ^4.0.0\n",
    "packages/one/package.json": '{"devDependencies":{"zod":"catalog:"}}',
    "docs/package.json": "{}",
    "bin/pnpm": "",
  });
}

test.for(["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", "packages/one/package.json", "docs/package.json"])(
  "a change of %s asks for a new installation",
  (file) => {
    const root = workspace();
    const before = installKey(root);
    expect(installKey(root)).toBe(before);
    writeFileSync(join(root, file), "packages:\n  - packages/*\n  - docs\n# changed\n");
    expect(installKey(root)).not.toBe(before);
  },
);

test("a new workspace asks for a new installation", () => {
  const root = workspace();
  const before = installKey(root);
  mkdirSync(join(root, "packages/two"));
  writeFileSync(join(root, "packages/two/package.json"), "{}");
  expect(installKey(root)).not.toBe(before);
});

test("an installation is complete while pnpm and every needed node_modules are there", () => {
  const root = workspace();
  const pnpmFolder = join(root, "bin");
  expect(isComplete(root, pnpmFolder)).toBe(false);
  mkdirSync(join(root, "packages/one/node_modules"));
  expect(isComplete(root, pnpmFolder)).toBe(true);
  rmSync(join(pnpmFolder, "pnpm"));
  expect(isComplete(root, pnpmFolder)).toBe(false);
});
