// @ts-check
// Runs test files of one package with Vitest's API, receives a `TestRequest` and sends `FileResult`s to its parent.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { insertProbes } from "../probes/insert-probes.mjs";

/** @import { TestModule, Vite } from "vitest/node" */
/** @import { FileResult, TestRequest } from "./test-request.mjs" */

/** Name of the module that stores which blocks a test file ran. Vitest loads it before each test file. */
const SETUP = "switchyard-probes-setup.ts";
const SOURCE = /^(?:packages|apps)\/[^/]+\/src\/.*\.ts$/;
const TEST = /\.(?:test|test-d)\.ts$/;

process.once("message", (message) => {
  const request = /** @type {TestRequest} */ (message);
  run(request).then(
    (results) => process.send?.({ results }, () => process.exit(0)),
    (error) => process.send?.({ problem: String(error?.stack ?? error) }, () => process.exit(1)),
  );
});

/**
 * @param {TestRequest} request
 * @returns {Promise<FileResult[]>}
 */
async function run(request) {
  const folder = join(request.root, request.folder);
  // Not every package uses the same copy of Vitest.
  const require = createRequire(join(folder, "package.json"));
  /** @type {typeof import("vitest/node")} */
  const { startVitest, BaseSequencer } = await import(pathToFileURL(require.resolve("vitest/node")).href);
  const order = new Map(request.files.map((file, index) => [join(request.root, file), index]));
  class GivenOrder extends BaseSequencer {
    /**
     * @override
     * @type {InstanceType<typeof BaseSequencer>["sort"]}
     */
    async sort(files) {
      return [...files].sort((one, other) => (order.get(one.moduleId) ?? 0) - (order.get(other.moduleId) ?? 0));
    }
  }
  /** @type {FileResult[]} */
  let results = [];
  const isCoverage = request.hitsFolder !== undefined;
  await startVitest(
    "test",
    [...order.keys()],
    {
      root: folder,
      watch: false,
      // Each file loads the sources again, so that what it runs is not attributed to another file.
      isolate: true,
      // One failure is enough, unless it disappears when the test is repeated.
      ...(isCoverage ? { maxWorkers: 2 } : { bail: 1, retry: 1, maxWorkers: 1, fileParallelism: false }),
      sequence: { sequencer: GivenOrder },
      reporters: [
        {
          onTestRunEnd(modules, errors) {
            results = modules.map((module) => resultOf(request.root, module));
            const unhandled = errors.map(({ message }) => `unhandled: ${message}`);
            if (unhandled.length > 0)
              results.push({ file: request.folder, durationMs: 0, passed: 0, failures: unhandled });
          },
        },
      ],
    },
    { plugins: [pluginFor(request)] },
  );
  return results;
}

/**
 * @param {string} root
 * @param {TestModule} module
 * @returns {FileResult}
 */
function resultOf(root, module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  const failures = [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(({ message }) => message)),
    ...tests.filter((test) => test.result().state === "failed").map((test) => test.fullName),
  ];
  return {
    file: relative(root, module.moduleId),
    durationMs: Math.round(collectDuration + setupDuration + duration),
    passed: tests.filter((test) => test.result().state === "passed").length,
    failures,
  };
}

/**
 * Replaces sources while they are loaded, so no file changes.
 * @param {TestRequest} request
 * @returns {Vite.Plugin}
 */
function pluginFor({ root, folder, mutant, hitsFolder }) {
  const setup = join(root, folder, SETUP);
  return {
    name: "switchyard-mutants",
    enforce: "pre",
    config(config) {
      // Plugins do not reach the projects of a package, which run the same tests in further ways.
      if (config.test !== undefined) delete config.test.projects;
      return hitsFolder === undefined ? {} : { test: { setupFiles: [setup] } };
    },
    resolveId: (id) => (id.endsWith(SETUP) ? setup : undefined),
    load(id) {
      const path = id.split("?", 1)[0] ?? id;
      if (hitsFolder !== undefined && path === setup) return setupCode(root, hitsFolder);
      const file = relative(root, path);
      if (!SOURCE.test(file) || TEST.test(file)) return undefined;
      if (mutant !== undefined && mutant.file === file) return mutant.code;
      return hitsFolder === undefined ? undefined : insertProbes(readFileSync(path, "utf8"), file);
    },
  };
}

/**
 * @param {string} root
 * @param {string} hitsFolder
 * @returns {string}
 */
function setupCode(root, hitsFolder) {
  return `
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

const hits = {};
globalThis.__switchyardProbes = (file) => (hits[file] ??= {});
afterAll(() => {
  const file = relative(${JSON.stringify(root)}, expect.getState().testPath);
  const found = Object.fromEntries(Object.entries(hits).map(([name, blocks]) => [name, Object.keys(blocks).map(Number)]));
  writeFileSync(${JSON.stringify(`${hitsFolder}/`)} + file.replaceAll("/", "!") + ".json", JSON.stringify(found));
});
`;
}
