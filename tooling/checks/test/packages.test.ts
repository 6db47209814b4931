import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CheckRun, runCheck } from "./run-check.ts";
import { scratchFolder } from "./scratch-folder.ts";

const MANIFEST = {
  name: "@switchyard/planted",
  version: "0.0.0",
  type: "module",
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
  files: ["dist"],
};
const README = '# Planted\n\n```ts run\nimport { one } from "@switchyard/planted";\n\nconsole.log(one());\n```\n';

function plantPackage(differences: Readonly<Record<string, string>> = {}): string {
  return scratchFolder({
    "package.json": JSON.stringify(MANIFEST),
    "README.md": README,
    "dist/index.js": "export function one() {\n  return 1;\n}\n",
    "dist/index.d.ts": "/** One. */\nexport declare function one(): number;\n",
    ...differences,
  });
}

function packAndRun(check: string, folder: string): CheckRun {
  expect(runCheck("pack-package", folder).exitCode).toBe(0);
  return runCheck(check, folder);
}

test("a sound package passes pack, tarball and budget-free API checks", () => {
  const folder = plantPackage();
  expect(packAndRun("check-pack", folder).output).toContain('"failed":0');
  expect(runCheck("check-tarball", folder).output).toContain('"failed":0');
});

test("an export without a file is found", () => {
  const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/missing.js" } };
  const folder = plantPackage({ "package.json": JSON.stringify({ ...MANIFEST, exports }) });
  expect(packAndRun("check-pack", folder)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("missing.js"),
  });
});

test("an undeclared dependency is found, though the workspace has it", () => {
  const folder = plantPackage({ "dist/index.js": 'export * from "yaml";\nexport const one = () => 1;\n' });
  const { exitCode, output } = packAndRun("check-tarball", folder);
  expect(exitCode).toBe(1);
  expect(output).toContain("import of every entry point");
  expect(output).toContain("Cannot find package 'yaml'");
});

test("a README example that does not type-check is found", () => {
  const folder = plantPackage({ "README.md": README.replace("one())", "one().length)") });
  expect(packAndRun("check-tarball", folder).output).toContain("Property 'length' does not exist");
});

test("a package without a README says what to write", () => {
  const folder = plantPackage({ "README.md": "" });
  expect(packAndRun("check-tarball", folder).output).toContain("has no ```ts run block");
});

test("an API report is written once, then held against the API", () => {
  const folder = plantPackage();
  expect(runCheck("check-api", folder).output).toContain("pnpm api:update");
  expect(runCheck("check-api", folder, ["--update"]).exitCode).toBe(0);
  expect(readFileSync(join(folder, "etc/index.api.md"), "utf8")).toContain("one(): number");
  expect(runCheck("check-api", folder).result).toEqual({ passed: 1, failed: 0, skipped: [] });
});

test("an undocumented and a forgotten export are found, a documented union's literals are not", () => {
  const folder = plantPackage({
    "dist/index.d.ts": [
      "export {};",
      "interface Hidden { /** A. */ a: number }",
      "export declare function one(): Hidden;",
      '/** Told apart by `type`. */\nexport interface Told {\n  type: "told";\n}',
    ].join("\n"),
  });
  const { output } = runCheck("check-api", folder, ["--update"]);
  expect(output).toContain('(ae-undocumented) Missing documentation for "one"');
  expect(output).toContain('(ae-forgotten-export) The symbol "Hidden"');
  expect(output).not.toContain('"type"');
});
