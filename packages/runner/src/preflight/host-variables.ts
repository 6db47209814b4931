import type { EnvironmentConfig, HostVariables } from "@switchyard/environment";

/** Returns the environment variables of this machine that a configuration of an environment contains. */
export function hostVariablesOf(config: EnvironmentConfig): HostVariables {
  if ("hostEnv" in config) return config.hostEnv ?? {};
  // For other types of environment, the variables belong to commands inside the environment, not to this machine.
  return config.type === "local" || config.type === "sandbox" ? (config.env ?? {}) : {};
}
