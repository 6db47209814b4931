import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import type { CopiedWorkspace } from "../environment-config.ts";
import { assertKnownOptions, ENVIRONMENT_OPTIONS, type OptionNames } from "../known-options.ts";
import { openRemoteEnvironment } from "../remote/open-remote-environment.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import { findCluster } from "./cluster.ts";
import { createPod } from "./create-pod.ts";
import { findPod } from "./find-pod.ts";
import { createKubernetesBackend } from "./kubernetes-backend.ts";
import type {
  KubernetesEnvironmentOptions,
  KubernetesImageOptions,
  KubernetesPodOptions,
} from "./kubernetes-options.ts";
import { sweepPods } from "./sweep-kubernetes-pods.ts";

/** Backend of a pod environment, and the path of the workspace in the pod. */
interface OpenedPod {
  readonly backend: RemoteBackend;
  readonly workingDirectory: string;
}

const KUBERNETES_OPTIONS: OptionNames<KubernetesPodOptions & KubernetesImageOptions & CopiedWorkspace> = {
  ...ENVIRONMENT_OPTIONS,
  kubectl: true,
  kubeconfig: true,
  context: true,
  namespace: true,
  hostEnv: true,
  signal: true,
  pod: true,
  container: true,
  image: true,
  pull: true,
  workspace: true,
  workingDirectory: true,
  memory: true,
  cpus: true,
  user: true,
  readOnlyRoot: true,
  activeDeadlineSeconds: true,
  readyTimeoutMs: true,
  podSpec: true,
};

/**
 * Opens an environment in a pod, through `kubectl`. The pod either runs already or is created from an image. A new pod
 * has resource limits and no service account token. It is deleted when the environment is closed. Pods left by killed
 * processes are deleted too. Network access is up to the cluster: new pods carry the label
 * `app.kubernetes.io/managed-by=switchyard` for its network policies.
 *
 * Throws `config.invalid` and `environment.unavailable`. See loop: KubernetesExecutionEnvironment, §4.3.
 */
export async function openKubernetesEnvironment(options: KubernetesEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertKnownOptions(options, KUBERNETES_OPTIONS);
  assertImageOrPod(options);
  const cluster = await findCluster(options);
  const { backend, workingDirectory } =
    options.pod !== undefined ? await openFoundPod(cluster, options) : await openNewPod(cluster, options);
  const { environmentVariables, killGraceMs, drainMs, maxReadBytes } = options;
  return openRemoteEnvironment(backend, { workingDirectory, environmentVariables, killGraceMs, drainMs, maxReadBytes });
}

function assertImageOrPod(options: { readonly pod?: string | undefined; readonly image?: string | undefined }): void {
  if ((options.pod === undefined) !== (options.image === undefined)) return;
  const problem = "set exactly one of `image` and `pod`";
  throw new EngineError("config.invalid", { field: "image", problem });
}

async function openFoundPod(cluster: ClientProgram, options: KubernetesPodOptions): Promise<OpenedPod> {
  const { name: pod, container, workingDirectory } = await findPod(cluster, options);
  const close = (): Promise<void> => Promise.resolve();
  const backend = createKubernetesBackend(cluster, { name: `k8s:@${pod}`, pod, container, close });
  return { backend, workingDirectory };
}

async function openNewPod(cluster: ClientProgram, options: KubernetesImageOptions): Promise<OpenedPod> {
  const owner = createProcessOwner();
  const { name: pod, container, workingDirectory, remove } = await createPod(cluster, options, owner);
  // The cleanup is not awaited, because removing pods of dead host processes must not delay this run.
  const swept = sweepPods(cluster, owner).then(
    () => {},
    () => {},
  );
  const close = async (): Promise<void> => {
    await Promise.all([remove(), swept]);
  };
  const backend = createKubernetesBackend(cluster, { name: `k8s:${options.image}`, pod, container, close });
  return { backend, workingDirectory };
}
