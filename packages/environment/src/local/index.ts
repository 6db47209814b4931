// For users.
export type { HostVariables } from "../variables/select-variables.ts";
export type { LocalEnvironmentOptions } from "./open-local-environment.ts";
export { openLocalEnvironment } from "./open-local-environment.ts";
