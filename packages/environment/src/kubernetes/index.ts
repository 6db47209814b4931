// Public API for users.
export type { EnvironmentOptions } from "../environment-options.ts";
export type {
  KubernetesClientOptions,
  KubernetesCommonOptions,
  KubernetesEnvironmentOptions,
  KubernetesImageOptions,
  KubernetesPodOptions,
} from "./kubernetes-options.ts";
export { openKubernetesEnvironment } from "./open-kubernetes-environment.ts";
export { sweepKubernetesPods } from "./sweep-kubernetes-pods.ts";
