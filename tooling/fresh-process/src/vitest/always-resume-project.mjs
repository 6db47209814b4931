// @ts-check
import { fileURLToPath } from "node:url";
import { sharedModuleNames, sharedModules } from "@switchyard/suite/shared-modules";
import { settings } from "@switchyard/suite/vitest-settings";
import { configDefaults } from "vitest/config";

/** @import { TestProjectInlineConfiguration } from "vitest/config" */
/** @import { Exceptions } from "./provided-context.ts" */

/**
 * Options of an always-resume project.
 * @typedef {object} AlwaysResumeOptions
 * @property {string} program module of the engine's process, one that calls `serveEngines`
 * @property {string[]} include the tests, as they are
 * @property {string[]} [exclude] the files of `include` that show nothing else than without this project
 * @property {Exceptions} [except] the tests that cannot run so, and why
 */

/**
 * Returns the Vitest project `always-resume`: tests that run again, unchanged, with an engine whose process is killed
 * at every checkpoint. The tests' engine factory gets the program by `inject("engineProgram")`.
 * @param {AlwaysResumeOptions} options
 * @returns {TestProjectInlineConfiguration}
 */
export function alwaysResumeProject({ program, include, exclude = [], except = {} }) {
  const { resolve = {}, ssr = {}, test: { setupFiles = [] } = {} } = settings;
  return {
    plugins: [sharedModuleNames()],
    resolve,
    ssr,
    test: {
      ...sharedModules(),
      name: "always-resume",
      include,
      exclude: [...configDefaults.exclude, ...exclude],
      restoreMocks: true,
      isolate: false,
      testTimeout: 240_000,
      provide: { engineModule: program, exceptions: except },
      globalSetup: fileURLToPath(new URL("./build-program.ts", import.meta.url)),
      setupFiles: [setupFiles, fileURLToPath(new URL("./skip-exceptions.ts", import.meta.url))].flat(),
    },
  };
}
