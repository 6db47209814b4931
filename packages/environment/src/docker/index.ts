// Public API for users.
export type { EnvironmentOptions } from "../environment-options.ts";
export type {
  DockerClientOptions,
  DockerCommonOptions,
  DockerContainerOptions,
  DockerEnvironmentOptions,
  DockerImageOptions,
} from "./docker-options.ts";
export { openDockerEnvironment } from "./open-docker-environment.ts";
export { sweepDockerContainers } from "./sweep-docker-containers.ts";
