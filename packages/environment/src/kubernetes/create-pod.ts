import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError } from "@switchyard/contracts";
import type { Owner } from "@switchyard/process-owner";
import { clientErrorLine } from "../client/client-error-line.ts";
import type { ClientProgram } from "../client/client-program.ts";
import { parseJson } from "../client/read-json.ts";
import { REQUEST_TIMEOUT, RESPONSE_TIMEOUT_MS } from "./cluster.ts";
import { explainKubectl } from "./explain-kubectl.ts";
import type { KubernetesImageOptions } from "./kubernetes-options.ts";
import type { PodPlan } from "./pod-manifest.ts";
import { NEW_CONTAINER, planPod } from "./pod-manifest.ts";
import { readPodState } from "./pod-state.ts";

const DEFAULT_READY_TIMEOUT_MS = 120_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;
/** Maximum number of attempts to delete a pod. */
const DELETION_TRIES = 3;

/** A pod created for a run. */
export interface CreatedPod {
  readonly name: string;
  readonly container: string;
  readonly workingDirectory: string;
  /**
   * Requests deletion of the pod. Never rejects: if deletion fails, the next cleanup of abandoned pods deletes the pod.
   */
  remove(): Promise<void>;
}

/**
 * Creates a pod from an image and waits until it is ready. Deletes the pod again if that fails.
 *
 * Throws `config.invalid` and `environment.unavailable`, with the cluster's reason.
 */
export async function createPod(
  cluster: ClientProgram,
  options: KubernetesImageOptions,
  owner: Owner,
): Promise<CreatedPod> {
  const plan = planPod(options, { mark: randomUUID(), token: owner.token });
  const remove = (): Promise<void> => removePod(cluster, plan.name);
  try {
    await requestPod(cluster, options, plan);
  } catch (error) {
    // A pod that the cluster rejected does not exist. After an interrupted request, the pod may exist.
    await tryToRemove(cluster, plan.name);
    throw error;
  }
  try {
    await waitUntilReady(cluster, options, plan.name);
    return { name: plan.name, container: NEW_CONTAINER, workingDirectory: plan.workingDirectory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function requestPod(cluster: ClientProgram, options: KubernetesImageOptions, plan: PodPlan): Promise<void> {
  // kubectl's validation is disabled, because it downloads the whole schema. The cluster validates the manifest.
  const args = ["create", REQUEST_TIMEOUT, "--validate=false", "--output=name", "--filename=-"];
  const limits = { signal: options.signal, timeoutMs: RESPONSE_TIMEOUT_MS };
  const result = await cluster.run(args, { ...limits, stdin: plan.manifest });
  options.signal?.throwIfAborted();
  if (result.exitCode !== 0) throw explainKubectl(`k8s:${options.image}`, result);
}

async function waitUntilReady(cluster: ClientProgram, options: KubernetesImageOptions, pod: string): Promise<void> {
  const timeoutMs = options.readyTimeoutMs ?? DEFAULT_READY_TIMEOUT_MS;
  const deadline = performance.now() + timeoutMs;
  const refuse = (problem: string): EngineError =>
    new EngineError("environment.unavailable", { environment: `k8s:${options.image}`, problem });
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const state = readPodState(await describePod(cluster, options, pod), NEW_CONTAINER);
    if (state.kind === "ready") return;
    const reason = clientErrorLine(state.reason);
    if (state.kind === "hopeless") throw refuse(`the pod cannot run: ${reason}; check the image and the settings.`);
    if (performance.now() + pauseMs >= deadline) {
      throw refuse(
        `the pod is not ready after ${timeoutMs} ms: ${reason}; check the cluster, or raise \`readyTimeoutMs\`.`,
      );
    }
    await delay(pauseMs, undefined, { signal: options.signal });
  }
}

async function describePod(cluster: ClientProgram, options: KubernetesImageOptions, pod: string): Promise<unknown> {
  const result = await cluster.run(["get", "pod", pod, REQUEST_TIMEOUT, "--output=json"], {
    signal: options.signal,
    timeoutMs: RESPONSE_TIMEOUT_MS,
  });
  options.signal?.throwIfAborted();
  if (result.exitCode !== 0) throw explainKubectl(`k8s:${options.image}`, result);
  return parseJson(result.stdout);
}

async function removePod(cluster: ClientProgram, name: string): Promise<void> {
  for (let attempt = 1; attempt <= DELETION_TRIES; attempt += 1) {
    if (await tryToRemove(cluster, name)) return;
    if (attempt < DELETION_TRIES) await delay(LONGEST_PAUSE_MS);
  }
}

async function tryToRemove(cluster: ClientProgram, name: string): Promise<boolean> {
  try {
    const args = ["delete", "pod", name, REQUEST_TIMEOUT, "--ignore-not-found", "--wait=false", "--grace-period=1"];
    return (await cluster.run(args, { timeoutMs: RESPONSE_TIMEOUT_MS })).exitCode === 0;
  } catch {
    // kubectl itself cannot be started. A later cleanup of abandoned pods will find the pod.
    return false;
  }
}
