import { startDocker } from "../engine/start-docker.ts";
import { startPodman } from "../engine/start-podman.ts";

/** The container engines that the tests start for themselves. */
export const ENGINES = [
  { client: "docker", start: startDocker },
  { client: "podman", start: startPodman },
] as const;
