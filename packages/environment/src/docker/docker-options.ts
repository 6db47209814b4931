import type { EnvironmentOptions, EnvironmentProxy } from "../environment-options.ts";
import type { HostVariables } from "../variables/select-variables.ts";

/** Options for connecting to a container engine. */
export interface DockerClientOptions {
  /** `docker`, `podman`, or the absolute path of either. Default: the first of the two found on the PATH. */
  readonly client?: string | undefined;
  /**
   * The host's environment variables, usually `process.env`, for the client program only: PATH, HOME, DOCKER_HOST,
   * DOCKER_CONTEXT and others. `process.env` is not read implicitly. None of the variables reaches the container.
   */
  readonly hostEnv?: HostVariables | undefined;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** Options that apply to both new and existing containers. */
export interface DockerCommonOptions extends DockerClientOptions, EnvironmentOptions {
  /**
   * User that runs commands: `caller` (user and group of this process), `image` (the user declared by the image or the
   * running container), `NAME`, `UID` or `UID:GID`. Default: `caller` if a folder of the host is mounted, otherwise
   * `image`. With rootless engines and Docker Desktop, `caller` means root in the container. Files that this root
   * creates belong to the caller on the host.
   */
  readonly user?: string | undefined;
}

/** Options for an existing, running container. The container keeps running when the environment is closed. */
export interface DockerContainerOptions extends DockerCommonOptions {
  /** Name or id of the container. */
  readonly container: string;
  /** Not allowed here: `image` cannot be combined with `container`. */
  readonly image?: undefined;
  /** Path of the workspace, an existing folder in the container. Default: the container's working directory. */
  readonly workingDirectory?: string | undefined;
}

/** Options for a new container, which is created from an image and removed when the environment is closed. */
export interface DockerImageOptions extends DockerCommonOptions {
  /** Name, digest or id of the image. The image must contain a POSIX `sh`, for example that of busybox. */
  readonly image: string;
  /** Not allowed here: `container` cannot be combined with `image`. */
  readonly container?: undefined;
  /** When to pull the image: if the image is not present (`missing`) or never (`never`). Default: `missing`. */
  readonly pull?: "missing" | "never" | undefined;
  /**
   * Folder that becomes the workspace, on the machine where the container engine runs. `undefined`: the workspace
   * starts empty.
   */
  readonly workspace?: string | undefined;
  /**
   * Path of the workspace in the container. Default: `/workspace`.
   */
  readonly workingDirectory?: string | undefined;
  /**
   * True if the workspace is a folder of the image's own file system and starts with the image's files. Cannot be
   * combined with `workspace`. Default: false.
   */
  readonly usesImageFiles?: boolean | undefined;
  /**
   * Memory limit, swap included, in the client's notation: `512m`, `2g`. A command that exceeds it ends with exit code
   * 137. Default: `2g`.
   */
  readonly memory?: string | undefined;
  /** Processor limit; fractions are allowed. Default: 2. */
  readonly cpus?: number | undefined;
  /** Maximum number of processes and threads. Default: 512. */
  readonly pids?: number | undefined;
  /**
   * Network that the container joins. With `list:…`, the container has no network, and reaches only `proxy`. The proxy
   * must enforce the list of hosts. Default: `none`.
   */
  readonly network?: string | undefined;
  /**
   * HTTP proxy for commands in a container without any other network. Variables such as `HTTPS_PROXY` are set to the
   * address of the proxy. The image must contain perl, python3 or node. The container engine must run on the same
   * machine as this process, because the socket of the proxy is mounted into the container. Default: none.
   */
  readonly proxy?: EnvironmentProxy | undefined;
  /** True if only the workspace and `/tmp` are writable. Default: false. */
  readonly readOnlyRoot?: boolean | undefined;
  /** Time limit for starting the container, pulling included, in milliseconds. Default: 300,000. */
  readonly startTimeoutMs?: number | undefined;
}

/** An existing container, or an image from which to create one. */
export type DockerEnvironmentOptions = DockerContainerOptions | DockerImageOptions;
