// For users.
export type { LocalEnvironmentOptions } from "./open-local-environment.ts";
export { openLocalEnvironment } from "./open-local-environment.ts";
