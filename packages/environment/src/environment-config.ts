import type { DockerEnvironmentOptions, DockerImageOptions } from "./docker/docker-options.ts";
import type { KubernetesImageOptions, KubernetesPodOptions } from "./kubernetes/kubernetes-options.ts";
import type { LocalEnvironmentOptions } from "./local/open-local-environment.ts";
import type { SandboxedEnvironmentOptions } from "./local/sandbox/open-sandboxed-environment.ts";
import type { MemoryEnvironmentOptions } from "./memory/create-memory-environment.ts";
import type { SshEnvironmentOptions } from "./ssh/open-ssh-environment.ts";
import type { HostVariables } from "./variables/select-variables.ts";

/** Initial files of an environment: a copy of a local folder. The folder itself stays unchanged. */
export interface CopiedWorkspace {
  /**
   * Local folder whose files are copied to the environment, except files ignored by git. Maximum: 10,000 regular files,
   * 64 MiB in total. `undefined`: the workspace starts empty.
   */
  readonly workspace?: string | undefined;
  /**
   * The host's environment variables, usually `process.env`, for programs on the host. A session runs git with them to
   * compute the changes of the run.
   */
  readonly hostEnv?: HostVariables | undefined;
}

/** Type of an environment, and the options to open an environment of this type. */
export type EnvironmentConfig =
  | ({ readonly type: "local" } & LocalEnvironmentOptions)
  | ({ readonly type: "sandbox" } & SandboxedEnvironmentOptions)
  | ({ readonly type: "docker" } & DockerEnvironmentOptions)
  | ({ readonly type: "kubernetes" } & (KubernetesPodOptions | (KubernetesImageOptions & CopiedWorkspace)))
  | ({ readonly type: "ssh" } & SshEnvironmentOptions)
  | ({ readonly type: "memory" } & MemoryEnvironmentOptions & CopiedWorkspace);

/** Location and lifetime of an environment's files, as implied by its configuration. */
export interface EnvironmentFacts {
  /** Local folder that is the workspace. `undefined` if the files are not on this machine. */
  readonly hostFolder?: string | undefined;
  /** True if the files are lost when the environment is closed, so that a run cannot resume there. */
  readonly isTemporary: boolean;
}

/** Returns whether the files of an environment are on this machine, and whether they outlive the environment. */
export function environmentFacts(config: EnvironmentConfig): EnvironmentFacts {
  switch (config.type) {
    case "local":
    case "sandbox":
      return { hostFolder: config.root, isTemporary: false };
    case "docker":
      return isDockerImage(config)
        ? { hostFolder: config.workspace, isTemporary: config.workspace === undefined }
        : { isTemporary: false };
    case "kubernetes":
      return { isTemporary: config.image !== undefined };
    case "memory":
      return { isTemporary: true };
    default:
      return { isTemporary: false };
  }
}

function isDockerImage(config: DockerEnvironmentOptions): config is DockerImageOptions {
  return config.image !== undefined;
}
