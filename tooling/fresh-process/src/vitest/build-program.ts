import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleFromSource } from "@switchyard/suite/load-from-source";
import type { TestProject } from "vitest/node";
import type {} from "./provided-context.ts";

/** Builds the program once for all tests of the project. */
export async function setup(project: TestProject): Promise<void> {
  const { engineModule, exceptions } = project.getProvidedContext();
  const { dir: folder = project.config.root } = project.config;
  const missing = Object.keys(exceptions).filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) throw new Error(`There are exceptions for files that are not there: ${missing.join(", ")}`);
  project.provide("engineProgram", await bundleFromSource(pathToFileURL(engineModule), pathToFileURL(`${folder}/`)));
}
