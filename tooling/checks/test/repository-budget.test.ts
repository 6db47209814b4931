import { expect, test } from "vitest";
import { type CheckRun, runCheck, runCommand } from "./run-check.ts";
import { scratchFolder } from "./scratch-folder.ts";

const BUDGETS = {
  sourceFiles: { medianLines: 80, p90Lines: 80 },
  functions: { lines: 60 },
  commandLine: { lines: 10 },
};

/** Checks the budgets of a repository that consists of these files. */
function checkBudgets(files: Readonly<Record<string, string>>): CheckRun {
  const root = scratchFolder({ ".ci/budgets.json": JSON.stringify(BUDGETS), ...files });
  expect(runCommand(["git", "init", "--quiet"], root)).toMatchObject({ exitCode: 0 });
  return runCheck("check-repository-budget", root);
}

const statements = (count: number) => "  console.log();\n".repeat(count);

/** A function that returns two closures. The function has 6 lines more than the closures have statements. */
function withClosures(name: string, count: number): string {
  const closure = (method: string, lines: number) => `const ${method} = () => {\n${statements(lines)}};\n`;
  return `export function ${name}(): object {\n${closure("a", count - 1)}${closure("b", 1)}return { a, b }; }\n`;
}

test("a function is too long if the lines of its closures make it so", () => {
  const { output, result } = checkBudgets({
    "packages/planted/src/allowed.ts": withClosures("allowed", 54),
    "packages/planted/src/long.ts": withClosures("tooLong", 55),
  });
  expect(output).toContain("function tooLong (packages/planted/src/long.ts:1), lines: 61 is over the budget of 60.");
  expect(result).toMatchObject({ failed: 1 });
});

test("blank lines and comments of a function count", () => {
  const { output } = checkBudgets({
    "apps/planted/src/planted.ts": `class Planted {\n  method(): void {${"\n\n// Why.\n".repeat(20)}}\n}\n`,
  });
  expect(output).toContain("function method (apps/planted/src/planted.ts:2), lines: 61 is over the budget of 60.");
});

test("functions in scripts and pages count, those in tests do not", () => {
  const { output, result } = checkBudgets({
    "tooling/planted/src/script.mjs": `export const inScript = () => {\n${statements(60)}};\n`,
    "apps/planted/page/page.tsx": `export function Page() {\n${statements(60)}  return <p />;\n}\n`,
    "packages/planted/src/planted.test.ts": `test("a", () => {\n${statements(60)}});\n`,
    "packages/planted/test/runs.ts": `export function runs() {\n${statements(60)}}\n`,
  });
  expect(output).toContain("function inScript (tooling/planted/src/script.mjs:1), lines: 62");
  expect(output).toContain("function Page (apps/planted/page/page.tsx:1), lines: 63");
  expect(result).toMatchObject({ failed: 2 });
});

test("the longest function is shown if all are short enough", () => {
  const { output, result } = checkBudgets({ "packages/planted/src/short.ts": withClosures("short", 5) });
  expect(output).toContain("function short (packages/planted/src/short.ts:1), lines: 11 of 60");
  expect(result).toMatchObject({ failed: 0 });
});
