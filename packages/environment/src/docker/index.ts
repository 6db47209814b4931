// For users.
export type { EnvironmentOptions } from "../environment-options.ts";
export type {
  DockerClientOptions,
  DockerContainerOptions,
  DockerEnvironmentOptions,
  DockerImageOptions,
  DockerPlaceOptions,
} from "./docker-options.ts";
export { openDockerEnvironment } from "./open-docker-environment.ts";
export { sweepDockerContainers } from "./sweep-docker-containers.ts";
