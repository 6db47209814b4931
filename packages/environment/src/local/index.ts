// Public API for users.
export type { EnvironmentOptions, EnvironmentProxy } from "../environment-options.ts";
export type { HostVariables } from "../variables/select-variables.ts";
export type { LocalEnvironmentOptions } from "./open-local-environment.ts";
export { openLocalEnvironment } from "./open-local-environment.ts";
export type { ConfinedEnvironmentOptions, ConfinementRules } from "./sandbox/open-confined-environment.ts";
export { openConfinedEnvironment } from "./sandbox/open-confined-environment.ts";
export type { SandboxedEnvironmentOptions } from "./sandbox/open-sandboxed-environment.ts";
export { openSandboxedEnvironment } from "./sandbox/open-sandboxed-environment.ts";
export type { MissingPart, SandboxReadiness } from "./sandbox/sandbox-readiness.ts";
export { sandboxReadiness } from "./sandbox/sandbox-readiness.ts";
