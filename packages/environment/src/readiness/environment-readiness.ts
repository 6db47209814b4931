import type { EnvironmentConfig } from "../environment-config.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { EnvironmentReadiness, ReadinessFindings } from "./readiness-findings.ts";

/** All environment types, in recommended order. */
export const ENVIRONMENT_TYPES: readonly EnvironmentConfig["type"][] = [
  "local",
  "sandbox",
  "docker",
  "kubernetes",
  "ssh",
  "memory",
];

/**
 * Checks which prerequisites of an environment type are missing on this machine, and how to install them. Runs client
 * programs such as `docker` and `kubectl`. They may contact the configured container engine or cluster, but change
 * nothing there. `host` contains the host's environment variables, usually `process.env`.
 */
export async function environmentReadiness(
  type: EnvironmentConfig["type"],
  host: HostVariables = {},
): Promise<EnvironmentReadiness> {
  const findings = await findingsOf(type, host);
  return { type, ok: findings.missing.length === 0, ...findings };
}

async function findingsOf(type: EnvironmentConfig["type"], host: HostVariables): Promise<ReadinessFindings> {
  switch (type) {
    case "sandbox": {
      const { sandboxReadiness } = await import("../local/sandbox/sandbox-readiness.ts");
      const { ok, missing } = await sandboxReadiness(host);
      return { found: ok ? ["bubblewrap"] : [], missing };
    }
    case "docker":
      return (await import("./docker-readiness.ts")).findDockerParts(host);
    case "kubernetes":
      return (await import("./kubernetes-readiness.ts")).findKubernetesParts(host);
    case "ssh":
      return (await import("./ssh-readiness.ts")).findSshParts(host);
    case "memory":
      return (await import("./memory-readiness.ts")).findMemoryParts();
    default:
      return (await import("./local-readiness.ts")).findLocalParts(host);
  }
}
