import { EngineError } from "@switchyard/contracts";
import { checkSetting } from "../client/check-setting.ts";
import type { ClientProgram } from "../client/client-program.ts";
import { createClientProgram } from "../client/client-program.ts";
import { checkProgram, findProgram } from "../client/find-program.ts";
import type { KubernetesClientOptions } from "./kubernetes-options.ts";

/** Time limit of a short request to the cluster, in milliseconds. */
export const RESPONSE_TIMEOUT_MS = 60_000;
/**
 * Time limit passed to kubectl. It is shorter than Switchyard's own time limit, so that kubectl times out first and
 * reports the reason.
 */
export const REQUEST_TIMEOUT = "--request-timeout=30s";

/** Valid names of namespaces and containers. */
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Finds kubectl and applies the kubeconfig, context and namespace of the options. Throws `environment.unavailable` if
 * kubectl is not installed, and `config.invalid` for invalid settings.
 */
export async function findCluster(options: KubernetesClientOptions): Promise<ClientProgram> {
  return createClientProgram(await findKubectl(options), options.hostEnv ?? {}, leadingArguments(options));
}

async function findKubectl({ kubectl, hostEnv = {} }: KubernetesClientOptions): Promise<string> {
  if (kubectl !== undefined) return checkProgram("kubectl", kubectl);
  const found = await findProgram("kubectl", hostEnv);
  if (found !== undefined) return found;
  const problem = "kubectl is not on the PATH; install it, or set its path.";
  throw new EngineError("environment.unavailable", { environment: "kubernetes", problem });
}

function leadingArguments({ kubeconfig, context, namespace }: KubernetesClientOptions): string[] {
  const anyText = { pattern: /^/, expected: "a text" };
  return [
    ...(kubeconfig === undefined
      ? []
      : [`--kubeconfig=${checkSetting(kubeconfig, { field: "kubeconfig", ...anyText })}`]),
    ...(context === undefined ? [] : [`--context=${checkSetting(context, { field: "context", ...anyText })}`]),
    ...(namespace === undefined ? [] : [`--namespace=${checkLabel("namespace", namespace)}`]),
  ];
}

/** Validates the name of a namespace or container. Throws `config.invalid`. */
export function checkLabel(field: string, name: string): string {
  return checkSetting(name, { field, pattern: LABEL, expected: "a name of lower-case letters, digits and `-`" });
}

/** Validates the name of a pod. Throws `config.invalid`. */
export function checkPod(name: string): string {
  const pattern = /^(?=.{1,253}$)[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/;
  return checkSetting(name, { field: "pod", pattern, expected: "the name of a pod" });
}
