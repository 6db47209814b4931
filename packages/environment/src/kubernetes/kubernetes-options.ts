import type { EnvironmentOptions } from "../environment-options.ts";
import type { HostVariables } from "../variables/select-variables.ts";

/** How a cluster is reached. */
export interface KubernetesClientOptions {
  /** Absolute path of `kubectl`; the one on the PATH by default. */
  readonly kubectl?: string | undefined;
  /** Path of a kubeconfig file; kubectl's own choice by default. */
  readonly kubeconfig?: string | undefined;
  /** Context of the kubeconfig; its current one by default. */
  readonly context?: string | undefined;
  /** Namespace of the pod; that of the context by default. */
  readonly namespace?: string | undefined;
  /**
   * The host's variables, `process.env` as a rule, for kubectl alone: PATH, HOME, KUBECONFIG, proxies and what its
   * credential helpers need. None are read by themselves, and none reach the pod.
   */
  readonly hostEnv?: HostVariables | undefined;
  /** Ends the opening when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** What every environment in a pod may be given. */
export type KubernetesCommonOptions = KubernetesClientOptions & EnvironmentOptions;

/** A pod that runs already. It is left as it is at the end. */
export interface KubernetesPodOptions extends KubernetesCommonOptions {
  /** Its name. */
  readonly pod: string;
  /** Not together with a pod. */
  readonly image?: undefined;
  /** Container of the pod; the one its annotation names, else the first. */
  readonly container?: string | undefined;
  /** The workspace, an existing folder in it; the container's own working directory by default. */
  readonly workingDirectory?: string | undefined;
}

/** A pod that is made from an image for the run and deleted at its end. */
export interface KubernetesImageOptions extends KubernetesCommonOptions {
  /** Name of the image. It needs a POSIX `sh`; busybox is enough. */
  readonly image: string;
  /** Not together with an image. */
  readonly pod?: undefined;
  /** Whether the cluster pulls an image that its node has not (`missing`) or never; the cluster's default if unset. */
  readonly pull?: "missing" | "never" | undefined;
  /** Where the workspace, an empty folder, is; `/workspace` by default. */
  readonly workingDirectory?: string | undefined;
  /** Most memory, as Kubernetes writes it; `2Gi` by default. More ends the command: 137. */
  readonly memory?: string | undefined;
  /** Most processors, fractions allowed; 2 by default. A tenth of one is asked for. */
  readonly cpus?: number | undefined;
  /** Number of the user that commands run as; the image's own by default. */
  readonly user?: number | undefined;
  /** Whether nothing but the workspace and `/tmp` can be written; false by default. */
  readonly readOnlyRoot?: boolean | undefined;
  /** Seconds after which the cluster itself ends the pod; unset means never. For hosts that may be lost. */
  readonly activeDeadlineSeconds?: number | undefined;
  /** Milliseconds until the pod must be ready; 120,000 by default. */
  readonly readyTimeoutMs?: number | undefined;
  /**
   * Further fields of the pod's specification, those that are set here excepted: `nodeSelector`, `tolerations`,
   * `imagePullSecrets`, `runtimeClassName`, …
   */
  readonly podSpec?: Readonly<Record<string, unknown>> | undefined;
}

/** A pod that is there, or an image to make one from. */
export type KubernetesEnvironmentOptions = KubernetesPodOptions | KubernetesImageOptions;
