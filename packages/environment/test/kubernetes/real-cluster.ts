import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@switchyard/container-engines";

/** A cluster that runs already, one of whose nodes is this machine. */
export interface RealCluster {
  /** Path of its kubeconfig. */
  readonly kubeconfig: string;
  /** Separate folder that can serve as HOME. */
  readonly folder: string;
  /** Adds a pod that runs, with a folder of this machine under the same path. */
  addPod(name: string, pod: { readonly share: string; readonly env: Readonly<Record<string, string>> }): Promise<void>;
  /** Deletes the pods that were added. */
  stop(): Promise<void>;
}

/** Location of the cluster: TEST_KUBECONFIG, and the settings that its pods need. */
export function namedCluster(): { kubeconfig: string; image: string; node: string | undefined } | undefined {
  const { TEST_KUBECONFIG: kubeconfig, TEST_KUBE_IMAGE: image = "busybox:1", TEST_KUBE_NODE: node } = process.env;
  return kubeconfig === undefined ? undefined : { kubeconfig, image, node };
}

/** Connects to the configured cluster. Throws kubectl's error if that fails. */
export async function reachRealCluster(named: NonNullable<ReturnType<typeof namedCluster>>): Promise<RealCluster> {
  const { kubeconfig, image, node } = named;
  const folder = mkdtempSync(join(tmpdir(), "sy-cluster-"));
  const created: string[] = [];
  const kubectl = async (argv: readonly string[], stdin?: string): Promise<string> => {
    const options = stdin === undefined ? {} : { stdin: Buffer.from(stdin) };
    const { code, stdout, stderr } = await runProgram(["kubectl", `--kubeconfig=${kubeconfig}`, ...argv], options);
    if (code !== 0) throw new Error(`kubectl ${argv[0]} failed: ${stderr}`);
    return stdout;
  };
  return {
    kubeconfig,
    folder,
    async addPod(name, { share, env }) {
      const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }));
      const container = { name: "main", image, imagePullPolicy: "IfNotPresent", env: variables };
      const command = ["sh", "-c", "while :; do sleep 60; done"];
      const mounts = [{ name: "share", mountPath: share }];
      const spec = {
        ...(node === undefined ? {} : { nodeName: node }),
        containers: [{ ...container, command, workingDir: share, volumeMounts: mounts }],
        volumes: [{ name: "share", hostPath: { path: share, type: "Directory" } }],
        terminationGracePeriodSeconds: 1,
        automountServiceAccountToken: false,
      };
      created.push(name);
      await kubectl(["create", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec }));
      await kubectl(["wait", "--for=condition=Ready", "--timeout=60s", `pod/${name}`]);
    },
    async stop() {
      for (const name of created) await kubectl(["delete", "pod", name, "--now", "--ignore-not-found"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
