import { startDocker, startPodman } from "@switchyard/container-engines";

/** The container engines that the tests start for themselves. */
export const ENGINES = [
  { client: "docker", start: startDocker },
  { client: "podman", start: startPodman },
] as const;
