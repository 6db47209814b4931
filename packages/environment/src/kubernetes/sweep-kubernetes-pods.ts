import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import { listAt, parseJson, textAt } from "../client/read-json.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import { findCluster, REQUEST_TIMEOUT, RESPONSE_TIMEOUT_MS } from "./cluster.ts";
import { explainKubectl } from "./explain-kubectl.ts";
import type { KubernetesClientOptions } from "./kubernetes-options.ts";

/**
 * Deletes pods left behind in a namespace by host processes of this machine that no longer run. Resolves with the
 * number of deleted pods. Pods of running processes and of other machines are not touched. Throws
 * `environment.unavailable` and `config.invalid`.
 */
export async function sweepKubernetesPods(options: KubernetesClientOptions = {}): Promise<number> {
  return sweepPods(await findCluster(options), createProcessOwner(), options.signal);
}

/**
 * Deletes pods of a namespace whose owner (the host process that created them) is dead. Throws
 * `environment.unavailable`.
 */
export async function sweepPods(cluster: ClientProgram, owner: Owner, signal?: AbortSignal): Promise<number> {
  const limits = { signal, timeoutMs: RESPONSE_TIMEOUT_MS };
  const selector = `--selector=${OWNER_LABELS.owner}`;
  const listed = await cluster.run(["get", "pods", REQUEST_TIMEOUT, selector, "--output=json"], limits);
  if (listed.exitCode !== 0) throw explainKubectl("kubernetes", listed);
  const names = listAt(parseJson(listed.stdout), "items")
    .filter((pod) => textAt(pod, "metadata", "deletionTimestamp") === "")
    .filter((pod) => owner.livenessOf(textAt(pod, "metadata", "labels", OWNER_LABELS.owner)) === "dead")
    .map((pod) => textAt(pod, "metadata", "name"))
    .filter((name) => /^switchyard-[0-9a-f-]{36}$/.test(name));
  if (names.length === 0) return 0;
  const args = ["delete", "pod", ...names, REQUEST_TIMEOUT, "--ignore-not-found", "--wait=false", "--grace-period=1"];
  const deleted = await cluster.run([...args, "--output=name"], limits);
  return deleted.stdout.split("\n").filter((line) => line.startsWith("pod/")).length;
}
