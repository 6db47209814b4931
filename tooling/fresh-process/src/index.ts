export { type FreshProcessOptions, inFreshProcesses } from "./in-fresh-processes.ts";
export type { Exceptions } from "./vitest/provided-context.ts";
