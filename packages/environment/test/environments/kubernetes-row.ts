import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openKubernetesEnvironment } from "@switchyard/environment/kubernetes";
import { startFakeCluster } from "../kubernetes/fake-cluster.ts";
import type { EnvironmentRow } from "./environment-row.ts";
import { makeLocalPlace } from "./local-place.ts";

/** A pod that the real kubectl reaches, on an API server of the tests' own. */
export const kubernetesRow: EnvironmentRow = {
  name: "kubernetes",
  component: "kubectl, fake API server",
  isReal: false,
  async start() {
    const cluster = await startFakeCluster();
    if ("missing" in cluster) return cluster.missing;
    // Under the same path inside and outside: what the cases do behind the environment's back, they do from outside.
    const folder = join(cluster.folder, "work");
    mkdirSync(folder);
    let started: Promise<unknown> | undefined;
    return {
      async factory({ variables }) {
        started ??= cluster.addPod("contract", { share: folder, env: variables });
        await started;
        const { root, around } = await makeLocalPlace(folder);
        const environment = await openKubernetesEnvironment({
          pod: "contract",
          workingDirectory: root,
          kubeconfig: cluster.kubeconfig,
          hostEnv: { PATH: process.env["PATH"], HOME: cluster.folder },
        });
        return { environment, ...around, lacks: { ...around.lacks, bash: "the image has no bash" } };
      },
      stop: () => cluster.stop(),
    };
  },
};
