// Public API for users.
export type { EnvironmentOptions } from "../environment-options.ts";
export type { RemoteOptions } from "../remote/open-remote-environment.ts";
export type { HostVariables } from "../variables/select-variables.ts";
export type { SshEnvironmentOptions } from "./open-ssh-environment.ts";
export { openSshEnvironment } from "./open-ssh-environment.ts";
export type { SshTarget } from "./ssh-target.ts";
