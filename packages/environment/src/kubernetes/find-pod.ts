import { EngineError } from "@switchyard/contracts";
import { checkRemotePath } from "../client/check-setting.ts";
import { clientErrorLine } from "../client/client-error-line.ts";
import type { ClientProgram } from "../client/client-program.ts";
import { parseJson } from "../client/read-json.ts";
import { checkLabel, checkPod, REQUEST_TIMEOUT, RESPONSE_TIMEOUT_MS } from "./cluster.ts";
import { explainKubectl } from "./explain-kubectl.ts";
import type { KubernetesPodOptions } from "./kubernetes-options.ts";
import { defaultContainerOf, readPodState } from "./pod-state.ts";

/** An existing pod. */
export interface FoundPod {
  readonly name: string;
  readonly container: string;
  readonly workingDirectory: string;
}

/** Finds a running pod. Throws `config.invalid` and `environment.unavailable`. */
export async function findPod(cluster: ClientProgram, options: KubernetesPodOptions): Promise<FoundPod> {
  const name = checkPod(options.pod);
  const wanted = options.container === undefined ? undefined : checkLabel("container", options.container);
  const requested =
    options.workingDirectory === undefined ? undefined : checkRemotePath("workingDirectory", options.workingDirectory);
  const described = parseJson(await ask(cluster, options, ["get", "pod", name, REQUEST_TIMEOUT, "--output=json"]));
  const container = wanted ?? checkLabel("container", defaultContainerOf(described));
  const state = readPodState(described, container);
  if (state.kind !== "ready") {
    const problem = `the container ${container} of the pod is not running: ${clientErrorLine(state.reason)}; start it.`;
    throw new EngineError("environment.unavailable", { environment: `k8s:@${name}`, problem });
  }
  const pwd = ["exec", `--container=${container}`, name, "--", "sh", "-c", "pwd -P"];
  const workingDirectory = requested ?? (await ask(cluster, options, pwd)).replace(/\r?\n$/, "");
  return { name, container, workingDirectory: checkRemotePath("workingDirectory", workingDirectory) };
}

async function ask(cluster: ClientProgram, options: KubernetesPodOptions, args: readonly string[]): Promise<string> {
  const result = await cluster.run(args, { signal: options.signal, timeoutMs: RESPONSE_TIMEOUT_MS });
  options.signal?.throwIfAborted();
  if (result.exitCode !== 0) throw explainKubectl(`k8s:@${options.pod}`, result);
  return result.stdout;
}
