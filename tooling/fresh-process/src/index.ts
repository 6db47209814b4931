export { type BundledProgram, bundleProgram } from "./bundle-program.ts";
export { type FreshProcessOptions, inFreshProcesses } from "./in-fresh-processes.ts";
export type { Exceptions } from "./vitest/provided-context.ts";
