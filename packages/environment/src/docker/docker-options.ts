import type { EnvironmentOptions } from "../environment-options.ts";
import type { HostVariables } from "../variables/select-variables.ts";

/** How a container engine is reached. */
export interface DockerClientOptions {
  /** `docker`, `podman`, or the absolute path of either; by default the first of the two on the PATH. */
  readonly client?: string | undefined;
  /**
   * The host's variables, `process.env` as a rule, for the client program alone: PATH, HOME, DOCKER_HOST,
   * DOCKER_CONTEXT and the like. None are read by themselves, and none reach the container.
   */
  readonly hostEnv?: HostVariables | undefined;
  /** Ends the opening when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** What every environment in a container may be given. */
export interface DockerCommonOptions extends DockerClientOptions, EnvironmentOptions {
  /**
   * User that commands run as: `caller` (user and group of this process), `image` (the user that the image or the running
   * container declares), `NAME`, `UID` or `UID:GID`. Default: `caller` if a folder of the host is mounted, otherwise `image`.
   * With rootless engines and Docker Desktop `caller` is root of the container, whose files belong to the caller outside.
   */
  readonly user?: string | undefined;
}

/** A container that runs already. It is left as it is at the end. */
export interface DockerContainerOptions extends DockerCommonOptions {
  /** Its name or id. */
  readonly container: string;
  /** Not together with a container. */
  readonly image?: undefined;
  /** The workspace, an existing folder in it; the container's own working directory by default. */
  readonly workingDirectory?: string | undefined;
}

/** A container that is made from an image for the run and removed at its end. */
export interface DockerImageOptions extends DockerCommonOptions {
  /** Name, digest or id of the image. It needs a POSIX `sh`; busybox is enough. */
  readonly image: string;
  /** Not together with an image. */
  readonly container?: undefined;
  /** Whether an image that is not there is pulled (`missing`, the default) or refused (`never`). */
  readonly pull?: "missing" | "never" | undefined;
  /** Folder of the engine's host that becomes the workspace; without it the workspace is an empty one. */
  readonly workspace?: string | undefined;
  /** Where the workspace is in the container; `/workspace` by default. */
  readonly workingDirectory?: string | undefined;
  /** Most memory, swap included, as the client writes it: `512m`, `2g` (default). More ends the command: 137. */
  readonly memory?: string | undefined;
  /** Most processors, fractions allowed; 2 by default. */
  readonly cpus?: number | undefined;
  /** Most processes and threads; 512 by default. */
  readonly pids?: number | undefined;
  /** Network that it joins; `none` by default. */
  readonly network?: string | undefined;
  /** Whether nothing but the workspace and `/tmp` can be written; false by default. */
  readonly readOnlyRoot?: boolean | undefined;
  /** Milliseconds until it must run, pulling included; 300,000 by default. */
  readonly startTimeoutMs?: number | undefined;
}

/** A container that is there, or an image to make one from. */
export type DockerEnvironmentOptions = DockerContainerOptions | DockerImageOptions;
