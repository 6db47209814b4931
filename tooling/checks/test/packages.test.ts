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

const FILES = {
  "package.json": JSON.stringify(MANIFEST),
  "README.md": README,
  "dist/index.js": "export function one() {\n  return 1;\n}\n",
  "dist/index.d.ts": "/** One. */\nexport declare function one(): number;\n",
};

type Files = Readonly<Record<string, string>>;

function plantPackage(differences: Files = {}): string {
  return scratchFolder({ ...FILES, ...differences });
}

/** Creates a repository with some packages: files that differ from those of a sound package, by folder. */
function plantRepository(packages: Readonly<Record<string, Files>>, budgets: object = {}): string {
  const files = Object.entries(packages).flatMap(([folder, differences]) =>
    Object.entries({ ...FILES, ...differences }).map(([path, text]) => [`packages/${folder}/${path}`, text]),
  );
  return scratchFolder({
    "package.json": JSON.stringify({ private: true }),
    "pnpm-workspace.yaml": "packages: [packages/*]\n",
    ".ci/budgets.json": JSON.stringify({ packages: budgets }),
    "apps/.keep": "",
    ...Object.fromEntries(files),
  });
}

function packAndRun(check: string, root: string): CheckRun {
  expect(runCheck("pack-packages", root)).toMatchObject({ exitCode: 0 });
  return runCheck(check, root);
}

/** Another sound package, with some differences in its manifest. */
function other(manifest: object = {}): Files {
  return {
    "package.json": JSON.stringify({ ...MANIFEST, name: "@switchyard/other", ...manifest }),
    "README.md": README.replaceAll("@switchyard/planted", "@switchyard/other"),
  };
}

test("sound packages pass the checks of shape, budget and use", () => {
  const budget = { dependencies: 0, packedKiB: 1 };
  const dependent = other({ dependencies: { "@switchyard/planted": "^0.0.0" } });
  const root = plantRepository(
    { planted: {}, other: { ...dependent, "dist/index.js": 'export * from "@switchyard/planted";\n' } },
    { "@switchyard/planted": budget, "@switchyard/other": budget },
  );
  expect(packAndRun("check-pack", root).result).toEqual({ passed: 4, failed: 0, skipped: [] });
  expect(runCheck("check-tarball", root)).toMatchObject({ exitCode: 0, result: { passed: 6, failed: 0 } });
  expect(runCheck("check-package-budgets", root).result).toEqual({ passed: 4, failed: 0, skipped: [] });
});

test("an export without a file is found in the package that has it", () => {
  const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/missing.js" } };
  const root = plantRepository({ planted: {}, other: other({ exports }) });
  const { exitCode, output, result } = packAndRun("check-pack", root);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/@switchyard\/other: publint: .*missing\.js/);
  expect(output).not.toContain("@switchyard/planted: publint");
  expect(result).toMatchObject({ passed: 3 });
});

test("types that claim another module format than the code are found", () => {
  const exports = { ".": { types: "./dist/index.d.cts", default: "./dist/index.js" } };
  const manifest = JSON.stringify({ ...MANIFEST, exports });
  const root = plantRepository({
    planted: { "package.json": manifest, "dist/index.d.cts": "export declare function one(): number;\n" },
  });
  expect(packAndRun("check-pack", root)).toMatchObject({
    exitCode: 1,
    output: expect.stringMatching(/@switchyard\/planted: attw: .*FalseCJS/),
  });
});

test("a package over its budget and one without a budget are found", () => {
  const dependencies = { yaml: "^2.0.0" };
  const root = plantRepository(
    { planted: { "package.json": JSON.stringify({ ...MANIFEST, dependencies }) }, other: other() },
    { "@switchyard/planted": { dependencies: 0, packedKiB: 1 } },
  );
  const { output, result } = packAndRun("check-package-budgets", root);
  expect(output).toContain("@switchyard/planted, outside dependencies: 1 is over the budget of 0.");
  expect(output).toContain("@switchyard/other, packed KiB: 1 is over the budget of 0.");
  expect(result).toMatchObject({ failed: 2 });
});

test("a tarball that was not written fails every check", () => {
  const root = plantRepository({ planted: {} });
  for (const check of ["check-pack", "check-tarball", "check-package-budgets"]) {
    expect(runCheck(check, root).exitCode, check).toBe(1);
  }
});

test("an undeclared dependency is found, though the workspace has it", () => {
  const root = plantRepository({
    planted: { "dist/index.js": 'export * from "yaml";\nexport const one = () => 1;\n' },
  });
  const { exitCode, output } = packAndRun("check-tarball", root);
  expect(exitCode).toBe(1);
  expect(output).toContain("import of every entry point");
  expect(output).toContain("Cannot find package 'yaml'");
});

test("an undeclared dependency is found, though another package's installation has it", () => {
  const types = 'export { one } from "@switchyard/planted";\n';
  const code = { "dist/index.js": 'export * from "@switchyard/planted";\n' };
  const root = plantRepository({
    planted: {},
    other: { ...other(), ...code },
    third: { ...other({ name: "@switchyard/third" }), "README.md": README, "dist/index.d.ts": types },
  });
  const { output } = packAndRun("check-tarball", root);
  expect(output).toMatch(/@switchyard\/other on Node .*Cannot find package '@switchyard\/planted'/s);
  expect(output).toMatch(/@switchyard\/third, types: .*Cannot find module '@switchyard\/planted'/s);
  expect(output).not.toMatch(/@switchyard\/planted( on|,)/);
});

test("a README example that does not type-check is found", () => {
  const root = plantRepository({ planted: { "README.md": README.replace("one())", "one().length)") } });
  expect(packAndRun("check-tarball", root).output).toContain("Property 'length' does not exist");
});

test("a README example that fails is found", () => {
  const root = plantRepository({
    planted: { "README.md": README.replace("console.log(one())", "throw new Error(String(one()))") },
  });
  expect(packAndRun("check-tarball", root).output).toMatch(/on Node .* README example: exit code 1/);
});

test("a package without a README says what to write", () => {
  const root = plantRepository({ planted: { "README.md": "" } });
  expect(packAndRun("check-tarball", root).output).toContain("has no ```ts run block");
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
