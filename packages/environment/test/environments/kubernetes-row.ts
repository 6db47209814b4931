import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openKubernetesEnvironment } from "@switchyard/environment/kubernetes";
import { startFakeCluster } from "../kubernetes/fake-cluster.ts";
import { namedCluster, reachRealCluster } from "../kubernetes/real-cluster.ts";
import { REACHED_SAMPLE } from "./case-sample.ts";
import type { EnvironmentRow, StartedRow } from "./environment-row.ts";
import { makeLocalFolders } from "./local-folders.ts";

/** Cluster data for the row. */
interface PodCluster {
  readonly kubeconfig: string;
  readonly folder: string;
  addPod(
    name: string,
    pod: { readonly share: string; readonly env: Readonly<Record<string, string>> },
  ): Promise<unknown>;
  stop(): Promise<void>;
}

function startIn(cluster: PodCluster): StartedRow {
  // The path is the same inside and outside, because some cases access files outside the environment.
  const folder = join(cluster.folder, "work");
  mkdirSync(folder);
  const pod = `contract-${process.pid}`;
  let started: Promise<unknown> | undefined;
  return {
    async factory({ variables }) {
      started ??= cluster.addPod(pod, { share: folder, env: variables });
      await started;
      const { root, subject } = await makeLocalFolders(folder);
      const environment = await openKubernetesEnvironment({
        pod,
        workingDirectory: root,
        kubeconfig: cluster.kubeconfig,
        hostEnv: { PATH: process.env["PATH"], HOME: cluster.folder },
      });
      return { environment, ...subject, lacks: { ...subject.lacks, bash: "the image has no bash" } };
    },
    stop: () => cluster.stop(),
  };
}

const named = namedCluster();

/** A pod accessed through the real kubectl: in the cluster of TEST_KUBECONFIG, otherwise in a fake cluster. */
export const kubernetesRow: EnvironmentRow = {
  name: "kubernetes",
  component: named === undefined ? "kubectl, fake API server" : "kubectl, the cluster of TEST_KUBECONFIG",
  isReal: named !== undefined,
  sample: REACHED_SAMPLE,
  async start() {
    if (named !== undefined) return startIn(await reachRealCluster(named));
    const cluster = await startFakeCluster();
    return "missing" in cluster ? cluster.missing : startIn(cluster);
  },
};
