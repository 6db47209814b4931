import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BUSYBOX_IMAGE, type Missing, startDocker, startPodman, type TestEngine } from "@switchyard/container-engines";
import { openDockerEnvironment } from "@switchyard/environment/docker";
import { CLIENT_SAMPLE, REACHED_SAMPLE } from "./case-sample.ts";
import type { EnvironmentRow, StartedRow } from "./environment-row.ts";
import { makeLocalFolders } from "./local-folders.ts";

const KEEP_ALIVE = "trap 'exit 0' TERM; while :; do sleep 60 & wait $!; done";
const CONTAINER = "contract";

async function startRow(start: () => Promise<TestEngine | Missing>): Promise<StartedRow | string> {
  const engine = await start();
  if ("missing" in engine) return engine.missing;
  // The path is the same inside and outside, because some cases access files outside the environment.
  const folder = join(engine.folder, "work");
  mkdirSync(folder);
  let started: Promise<string> | undefined;
  const startContainer = (variables: Readonly<Record<string, string>>): Promise<string> => {
    const env = Object.entries({ ...variables, HOME: folder }).flatMap(([name, value]) => [
      "--env",
      `${name}=${value}`,
    ]);
    const limits = ["--network", "none", "--mount", `type=bind,source=${folder},target=${folder}`];
    return engine.must("run", "-d", "--name", CONTAINER, ...limits, ...env, BUSYBOX_IMAGE, "sh", "-c", KEEP_ALIVE);
  };
  return {
    async factory({ variables }) {
      started ??= startContainer(variables);
      await started;
      const { root, subject } = await makeLocalFolders(folder);
      const { client, hostEnv } = engine;
      const options = { container: CONTAINER, workingDirectory: root, client, hostEnv };
      const lacks = { ...subject.lacks, bash: "the image has no bash" };
      return { environment: await openDockerEnvironment(options), ...subject, lacks };
    },
    stop: () => engine.stop(),
  };
}

/** A container of a real Docker daemon. */
export const dockerRow: EnvironmentRow = {
  name: "docker",
  component: "Docker daemon",
  isReal: true,
  sample: REACHED_SAMPLE,
  start: () => startRow(startDocker),
};

/** A container of a real Podman. */
export const podmanRow: EnvironmentRow = {
  name: "podman",
  component: "Podman",
  isReal: true,
  sample: CLIENT_SAMPLE,
  start: () => startRow(startPodman),
};
