// @ts-check
import { relative } from "node:path";
import { renderResultLine } from "./result-line.mjs";

/** @import { Reporter, TestCase, TestModule } from "vitest/node" */
/** @import { FileTime, Skip } from "./result-line.mjs" */

/** Number of files that a list of a whole run can show. */
const SLOWEST_FILES = 10;

/**
 * Returns a Vitest reporter that prints the line read by `scripts/verify.mjs`.
 *
 * A test that cannot run states the reason: `test("…", ({ skip }) => skip(!docker, "no container engine"))`. A skip
 * without a reason counts as a failure.
 * @returns {Reporter}
 */
export function resultReporter() {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const { skipped, unexplained } = readSkips(tests);
      for (const name of unexplained) console.error(`Skipped without a reason: ${name}`);
      const failed =
        tests.filter((test) => test.result().state === "failed").length +
        modules.filter(brokeOutsideATest).length +
        unhandledErrors.length +
        unexplained.length;
      const passed = tests.filter((test) => test.result().state === "passed").length;
      if (unexplained.length > 0) process.exitCode = 1;
      console.log(renderResultLine({ passed, failed, skipped, slowest: slowestOf(modules) }));
    },
  };
}

/**
 * @param {readonly TestModule[]} modules
 * @returns {FileTime[]}
 */
function slowestOf(modules) {
  return modules
    .map((module) => {
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      return { name: nameOf(module), durationMs: Math.round(collectDuration + setupDuration + duration) };
    })
    .sort((one, other) => other.durationMs - one.durationMs)
    .slice(0, SLOWEST_FILES);
}

/**
 * Returns the path of a test file in its package.
 * @param {TestModule} module
 * @returns {string}
 */
function nameOf(module) {
  return relative(process.cwd(), module.moduleId);
}

/**
 * @param {readonly TestCase[]} tests
 * @returns {{ skipped: Skip[], unexplained: string[] }}
 */
function readSkips(tests) {
  /** @type {Skip[]} */
  const skipped = [];
  /** @type {string[]} */
  const unexplained = [];
  for (const test of tests) {
    const result = test.result();
    if (result.state !== "skipped") continue;
    const name = `${nameOf(test.module)} > ${test.fullName}`;
    if (result.note === undefined) unexplained.push(name);
    else skipped.push({ name, reason: result.note });
  }
  return { skipped, unexplained };
}

/**
 * Returns whether a module or a `describe` threw during collection or in a hook.
 * @param {TestModule} module
 * @returns {boolean}
 */
function brokeOutsideATest(module) {
  const suites = [...module.children.allSuites()];
  return module.errors().length > 0 || suites.some((suite) => suite.errors().length > 0);
}
