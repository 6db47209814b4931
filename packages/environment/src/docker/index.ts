// Public API for users.
export type { EnvironmentOptions, EnvironmentProxy } from "../environment-options.ts";
export type { DockerBuildOptions } from "./build-docker-image.ts";
export { buildDockerImage } from "./build-docker-image.ts";
export type { DockerContainer, DockerContainerSetup, DockerSnapshot } from "./docker-container.ts";
export type { DockerImage, DockerPullOptions } from "./docker-image.ts";
export { pullDockerImage } from "./docker-image.ts";
export type {
  DockerClientOptions,
  DockerCommonOptions,
  DockerContainerOptions,
  DockerEnvironmentOptions,
  DockerImageOptions,
} from "./docker-options.ts";
export { openDockerContainer } from "./open-docker-container.ts";
export { openDockerEnvironment } from "./open-docker-environment.ts";
export { sweepDockerContainers } from "./sweep-docker-containers.ts";
