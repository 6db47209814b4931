import type { DockerEnvironmentOptions, DockerImageOptions } from "./docker/docker-options.ts";
import type { KubernetesImageOptions, KubernetesPodOptions } from "./kubernetes/kubernetes-options.ts";
import type { LocalEnvironmentOptions } from "./local/open-local-environment.ts";
import type { SandboxedEnvironmentOptions } from "./local/sandbox/open-sandboxed-environment.ts";
import type { MemoryEnvironmentOptions } from "./memory/create-memory-environment.ts";
import type { SshEnvironmentOptions } from "./ssh/open-ssh-environment.ts";
import type { HostVariables } from "./variables/select-variables.ts";

/** A folder of this machine whose files an environment begins with: a copy, so that the folder stays as it is. */
export interface CopiedWorkspace {
  /**
   * Folder whose files are copied in, but those that git ignores: plain files of at most 64 MiB together, at most
   * 10,000. Without it the workspace is empty.
   */
  readonly workspace?: string | undefined;
  /** The host's variables, `process.env` as a rule, for programs of this machine that are needed for the copy. */
  readonly hostEnv?: HostVariables | undefined;
}

/** Where an environment is and how it is opened. */
export type EnvironmentConfig =
  | ({ readonly type: "local" } & LocalEnvironmentOptions)
  | ({ readonly type: "sandbox" } & SandboxedEnvironmentOptions)
  | ({ readonly type: "docker" } & DockerEnvironmentOptions)
  | ({ readonly type: "kubernetes" } & (KubernetesPodOptions | (KubernetesImageOptions & CopiedWorkspace)))
  | ({ readonly type: "ssh" } & SshEnvironmentOptions)
  | ({ readonly type: "memory" } & MemoryEnvironmentOptions & CopiedWorkspace);

/** What becomes of the files of an environment, as far as its configuration tells. */
export interface EnvironmentFacts {
  /** Folder of this machine that is the workspace, for those who look at it from here. */
  readonly hostFolder?: string | undefined;
  /** Whether the files are gone when the environment is closed, so that nobody can go on there. */
  readonly isTemporary: boolean;
}

/** Says what becomes of the files of an environment: whether they are on this machine, and whether they last. */
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
