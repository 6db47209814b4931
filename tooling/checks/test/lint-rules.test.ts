import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../src/repository.mjs";
import { runCommand } from "./run-check.ts";
import { scratchFolder } from "./scratch-folder.ts";

const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");

/** Lints files with the rules of this repository; one line a finding, with rule and file. */
function lint(files: Readonly<Record<string, string>>): string[] {
  const manifest = '{"name":"x","dependencies":{"zod":"1"},"devDependencies":{"fast-check":"1"}}';
  const root = scratchFolder({ ...files, "packages/engine/package.json": manifest });
  cpSync(join(ROOT, "biome.json"), join(root, "biome.json"));
  cpSync(join(ROOT, "tooling/checks"), join(root, "tooling/checks"), {
    recursive: true,
    filter: (source) => source.endsWith("checks") || source.endsWith(".grit"),
  });
  const argv = [biome, "lint", "--vcs-enabled=false", "--reporter=github", "--max-diagnostics=none", "packages"];
  return runCommand([process.execPath, ...argv], root)
    .output.split("\n")
    .filter((line) => line.startsWith("::error"));
}

const statements = (count: number) => Array.from({ length: count }, (_, line) => `console.log(${line});`).join("\n");

/** Rule, and a text that breaks it in the sources of a package. */
const FAULTS: readonly (readonly [rule: string, text: string])[] = [
  ["plugin", "export const a = JSON.parse('1') as string;"],
  ["guardedGit", 'export const a = ["git", "status"];'],
  ["noRestrictedImports", 'export { spawn } from "node:child_process";'],
  ["noRestrictedImports", 'import { request } from "node:http";\nexport const a = request;'],
  ["noRestrictedImports", 'import { a } from "@switchyard/secrets/src/secret.ts";\nexport { a };'],
  ["noUndeclaredDependencies", 'import fc from "fast-check";\nexport const a = fc;'],
  ["useMaxParams", "export function f(a: 1, b: 1, c: 1, d: 1): number {\n  return a + b + c + d;\n}"],
  ["noEnum", "export enum A {\n  B = 1,\n}"],
  ["noFloatingPromises", "async function f(): Promise<void> {}\nf();"],
  ["noProcessEnv", "export const a = process.env.A;"],
  ["noExcessiveLinesPerFunction", `export function f(): void {\n${statements(61)}\n}`],
  ["noExcessiveLinesPerFile", statements(401)],
  ["noReExportAll", 'export * from "./other.ts";'],
  ["noDefaultExport", "export default 1;"],
  ["noExplicitAny", "export const a: any = 1;"],
  ["noNonNullAssertion", "export const a = [1][0]!;"],
  ["Hand the caught error on", "try {\n  JSON.parse('');\n} catch (error) {\n  throw new Error('lost');\n}"],
  ["useImportExtensions", 'import { a } from "./planted-0";\nexport const b = a;'],
];

test("every law that a rule can keep is kept by that rule", () => {
  const path = (index: number) => `packages/engine/src/planted-${index}.ts`;
  const findings = lint(Object.fromEntries(FAULTS.map(([, text], index) => [path(index), `${text}\n`])));
  const missed = FAULTS.filter(
    ([rule], index) => !findings.some((line) => line.includes(rule) && line.includes(path(index))),
  );
  expect(missed).toEqual([]);
});

test("a test that is skipped without a reason is found", () => {
  const tests = [
    'test.skipIf(isBare)("a", () => {});',
    'describe.runIf(isBare)("b", () => {});',
    'test("c", ({ skip }) => skip());',
    'test("d", (context) => context.skip());',
    'test("e", ({ skip }) => skip(isBare, "no container engine"));',
    'test("f", (context) => context.skip(NO_BROWSER));',
  ];
  const findings = lint({ "packages/engine/test/a.test.ts": `${tests.join("\n")}\n` });
  const lines = findings.map((line) => Number(/line=(\d+)/.exec(line)?.[1]));
  expect(lines.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4]);
});

test("an import cycle is found", () => {
  const findings = lint({
    "packages/engine/src/one.ts": 'import { two } from "./two.ts";\n\nexport const one: number = two;\n',
    "packages/engine/src/two.ts": 'import { one } from "./one.ts";\n\nexport const two: number = one;\n',
  });
  expect(findings.join("\n")).toContain("noImportCycles");
});

test("an import cycle is found if one side imports only a type and the other loads its module when it is called", () => {
  const command = [
    "export interface Options {\n  readonly json: boolean;\n}",
    'export async function run(): Promise<void> {\n  (await import("./execute.ts")).execute({ json: true });\n}',
  ];
  const findings = lint({
    "packages/engine/src/command.ts": `${command.join("\n\n")}\n`,
    "packages/engine/src/execute.ts":
      'import type { Options } from "./command.ts";\n\nexport function execute(_: Options): void {}\n',
  });
  expect(findings.join("\n")).toMatch(/noImportCycles.*execute\.ts|execute\.ts.*noImportCycles/);
});

test("a cycle of types through several files is found, also through a re-export", () => {
  const findings = lint({
    "packages/engine/src/one.ts": 'import type { Two } from "./two.ts";\n\nexport type One = readonly Two[];\n',
    "packages/engine/src/two.ts": 'export type { Three as Two } from "./three.ts";\n',
    "packages/engine/src/three.ts":
      'import type { One } from "./one.ts";\n\nexport interface Three {\n  readonly one: One;\n}\n',
  });
  expect(findings.join("\n")).toContain("noImportCycles");
});

test("contracts imports nothing of Node, and files are named in kebab-case", () => {
  const findings = lint({
    "packages/contracts/src/a.ts": 'export { join } from "node:path";\n',
    "packages/engine/src/camelCase.ts": "export const a = 1;\n",
  });
  expect(findings.join("\n")).toContain("noRestrictedImports");
  expect(findings.join("\n")).toContain("useFilenamingConvention");
});

test("what each room is for is allowed in it", () => {
  const findings = lint({
    "packages/engine/src/a.ts": "export const a = ['x'] as const;\n",
    "packages/engine/src/b.ts":
      "try {\n  JSON.parse('');\n} catch (error) {\n  throw new TypeError('kept', {}, { cause: error });\n}\n",
    "packages/engine/src/a.test.ts": `export const a = JSON.parse("1") as string;\n${statements(80)}\n`,
    "packages/environment/src/a.ts": 'export { spawn } from "node:child_process";\n',
    "packages/llm/src/a.ts": 'export { request } from "node:http";\n',
    "packages/contracts/src/git/a.ts": 'export const a = ["git", "status"];\n',
  });
  expect(findings).toEqual([]);
});
