import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleProgram } from "../bundle-program.ts";
import type {} from "./provided-context.ts";

/** Builds the program once for all tests of the project, and removes it afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { engineModule, exceptions } = project.getProvidedContext();
  const missing = Object.keys(exceptions).filter(
    (file) => !existsSync(join(project.config.dir ?? project.config.root, file)),
  );
  if (missing.length > 0) throw new Error(`There are exceptions for files that are not there: ${missing.join(", ")}`);
  const program = await bundleProgram(engineModule);
  project.provide("engineProgram", program.path);
  return async () => {
    await program[Symbol.asyncDispose]();
  };
}
