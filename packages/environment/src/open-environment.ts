import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { copyWorkspace, readWorkspace } from "./copy-workspace.ts";
import type { EnvironmentConfig } from "./environment-config.ts";

type ConfigOf<T extends EnvironmentConfig["type"]> = Extract<EnvironmentConfig, { readonly type: T }>;

const TYPES = "local, sandbox, docker, kubernetes, ssh, memory";

/**
 * Opens the environment that a configuration describes. The code of an environment type is loaded only when it is
 * needed. Throws `config.invalid` for an unknown type, and the errors of the type's own `open…` function. See loop: §4.
 */
export async function openEnvironment(config: EnvironmentConfig): Promise<ExecutionEnvironment> {
  switch (config.type) {
    case "local":
      return (await import("./local/open-local-environment.ts")).openLocalEnvironment(config);
    case "sandbox":
      return (await import("./local/sandbox/open-sandboxed-environment.ts")).openSandboxedEnvironment(config);
    case "docker":
      return (await import("./docker/open-docker-environment.ts")).openDockerEnvironment(config);
    case "kubernetes":
      return openKubernetes(config);
    case "ssh":
      return (await import("./ssh/open-ssh-environment.ts")).openSshEnvironment(config);
    case "memory":
      return openMemory(config);
    default:
      throw new EngineError("config.invalid", { field: "environment.type", problem: `it is not one of: ${TYPES}` });
  }
}

/**
 * Removes containers or pods that dead host processes left behind. Resolves with the number of removed containers or
 * pods; always 0 for other environment types. Throws if the engine or cluster is unreachable.
 */
export async function sweepEnvironment(config: EnvironmentConfig): Promise<number> {
  if (config.type === "docker" && config.image !== undefined) {
    return (await import("./docker/sweep-docker-containers.ts")).sweepDockerContainers(config);
  }
  if (config.type === "kubernetes" && config.image !== undefined) {
    return (await import("./kubernetes/sweep-kubernetes-pods.ts")).sweepKubernetesPods(config);
  }
  return 0;
}

async function openMemory({
  workspace,
  files,
  hostEnv: _,
  ...options
}: ConfigOf<"memory">): Promise<ExecutionEnvironment> {
  const { createMemoryEnvironment } = await import("./memory/create-memory-environment.ts");
  const copied = workspace === undefined ? [] : await readWorkspace(workspace);
  const added = files instanceof Map ? files : Object.entries(files ?? {});
  return createMemoryEnvironment({ ...options, files: new Map([...copied, ...added]) });
}

async function openKubernetes(config: ConfigOf<"kubernetes">): Promise<ExecutionEnvironment> {
  const { openKubernetesEnvironment } = await import("./kubernetes/open-kubernetes-environment.ts");
  const files = "workspace" in config && config.workspace !== undefined ? await readWorkspace(config.workspace) : [];
  const environment = await openKubernetesEnvironment(config);
  try {
    await copyWorkspace(files, environment);
    return environment;
  } catch (error) {
    await environment[Symbol.asyncDispose]();
    throw error;
  }
}
