// Public API for users.
export type { MemoryEnvironmentOptions, MemoryFiles } from "./create-memory-environment.ts";
export { createMemoryEnvironment } from "./create-memory-environment.ts";
export type { ShellLimits } from "./shell/shell-limits.ts";
