import type { EnvironmentOptions } from "../environment-options.ts";
import type { HostVariables } from "../variables/select-variables.ts";

/** Options for connecting to a cluster. */
export interface KubernetesClientOptions {
  /** Absolute path of `kubectl`. Default: the one found on the PATH. */
  readonly kubectl?: string | undefined;
  /** Path of a kubeconfig file. Default: the file that kubectl itself would use. */
  readonly kubeconfig?: string | undefined;
  /** Context of the kubeconfig. Default: the kubeconfig's current context. */
  readonly context?: string | undefined;
  /** Namespace of the pod. Default: the namespace of the context. */
  readonly namespace?: string | undefined;
  /**
   * The host's environment variables, usually `process.env`, for kubectl only: PATH, HOME, KUBECONFIG, proxies, and
   * variables of its credential helpers. `process.env` is not read implicitly. None of the variables reaches the pod.
   */
  readonly hostEnv?: HostVariables | undefined;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** Options that apply to both new and existing pods. */
export type KubernetesCommonOptions = KubernetesClientOptions & EnvironmentOptions;

/** Options for an existing, running pod. The pod keeps running when the environment is closed. */
export interface KubernetesPodOptions extends KubernetesCommonOptions {
  /** Name of the pod. */
  readonly pod: string;
  /** Not allowed here: `image` cannot be combined with `pod`. */
  readonly image?: undefined;
  /** Container of the pod. Default: the one named by the pod's default-container annotation, otherwise the first. */
  readonly container?: string | undefined;
  /** Path of the workspace, an existing folder in the container. Default: the container's working directory. */
  readonly workingDirectory?: string | undefined;
}

/** Options for a new pod, which is created from an image and deleted when the environment is closed. */
export interface KubernetesImageOptions extends KubernetesCommonOptions {
  /** Name of the image. The image must contain a POSIX `sh`, for example that of busybox. */
  readonly image: string;
  /** Not allowed here: `pod` cannot be combined with `image`. */
  readonly pod?: undefined;
  /**
   * When the cluster pulls the image: if the node does not have the image (`missing`) or never (`never`). Default: the
   * cluster's policy.
   */
  readonly pull?: "missing" | "never" | undefined;
  /** Path of the workspace, which starts empty. Default: `/workspace`. */
  readonly workingDirectory?: string | undefined;
  /** Memory limit in Kubernetes notation. A command that exceeds it ends with exit code 137. Default: `2Gi`. */
  readonly memory?: string | undefined;
  /** CPU limit, in processors; fractions are allowed. The CPU request is always 0.1. Default: 2. */
  readonly cpus?: number | undefined;
  /** Numeric id of the user that runs commands. Default: the image's user. */
  readonly user?: number | undefined;
  /** True if only the workspace and `/tmp` are writable. Default: false. */
  readonly readOnlyRoot?: boolean | undefined;
  /**
   * Number of seconds after which the cluster ends the pod, in case the host disappears without deleting it.
   * `undefined`: no limit.
   */
  readonly activeDeadlineSeconds?: number | undefined;
  /** Time limit for the pod to become ready, in milliseconds. Default: 120,000. */
  readonly readyTimeoutMs?: number | undefined;
  /**
   * Additional fields of the pod specification, such as `nodeSelector`, `tolerations`, `imagePullSecrets` and
   * `runtimeClassName`. Fields set by Switchyard cannot be overridden.
   */
  readonly podSpec?: Readonly<Record<string, unknown>> | undefined;
}

/** An existing pod, or an image from which to create one. */
export type KubernetesEnvironmentOptions = KubernetesPodOptions | KubernetesImageOptions;
