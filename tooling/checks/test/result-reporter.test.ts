import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../src/repository.mjs";
import { runCommand } from "./run-check.ts";
import { scratchFolder } from "./scratch-folder.ts";

const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const planted = join(import.meta.dirname, "planted/suites");

function runSuite(name: string) {
  return runCommand([process.execPath, vitest, "run", name], planted);
}

test("a suite reports what passed, a skip with its reason, and how long its test files took", () => {
  const { result } = runSuite("reasoned.spec.ts");
  expect(result).toMatchObject({
    passed: 1,
    failed: 0,
    skipped: [{ name: "reasoned.spec.ts > runs in a container", reason: "no container engine" }],
    slowest: [{ name: "reasoned.spec.ts" }],
  });
  expect(result?.slowest?.[0]?.durationMs).toBeGreaterThan(0);
});

test("a skip without a reason is a failure", () => {
  const run = runSuite("silent.spec.ts");
  expect(run.exitCode).toBe(1);
  expect(run.result).toMatchObject({ passed: 1, failed: 1, skipped: [] });
});

test("a file that breaks before its tests is a failure", () => {
  const run = runSuite("broken.spec.ts");
  expect(run.exitCode).toBe(1);
  expect(run.result?.failed).toBe(1);
});

test("packages share the modules that they transform, up to the next change of a module", () => {
  const modules = scratchFolder();
  const cache = join(ROOT, "tooling/checks/.cache");
  mkdirSync(cache, { recursive: true });
  const suite = mkdtempSync(join(cache, "suite-"));
  onTestFinished(() => rmSync(suite, { recursive: true }));
  const config = 'import { settings } from "@switchyard/suite/vitest-settings";\n\nexport default settings;\n';
  writeFileSync(join(suite, "vitest.config.ts"), config);
  const imports = 'import { expect, test } from "vitest";\nimport { one } from "../value.ts";\n';
  mkdirSync(join(suite, "src"));
  writeFileSync(join(suite, "src/value.test.ts"), `${imports}test("one", () => expect(one).toBe(1));\n`);
  const run = (value: number) => {
    writeFileSync(join(suite, "value.ts"), `export const one = ${value};\n`);
    const variable = `SWITCHYARD_TEST_MODULES=${modules}`;
    return runCommand(["env", variable, process.execPath, vitest, "run"], suite).result;
  };
  expect(run(1)).toMatchObject({ passed: 1, slowest: [{ name: "src/value.test.ts" }] });
  expect(readdirSync(modules).length).toBeGreaterThan(2);
  expect(run(2)).toMatchObject({ passed: 0, failed: 1 });
});
