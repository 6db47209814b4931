import { listAt, textAt, valueAt } from "../client/read-json.ts";

/** State of a pod. */
export type PodState =
  | { readonly kind: "ready" }
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "hopeless"; readonly reason: string };

/**
 * Reasons, reported by the cluster for a waiting container, that make further waiting pointless, such as an invalid
 * image name.
 */
const HOPELESS: ReadonlySet<string> = new Set([
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "CrashLoopBackOff",
]);

/** Returns whether a container of a pod can run commands, given the pod's JSON from the cluster. */
export function readPodState(pod: unknown, container: string): PodState {
  const phase = textAt(pod, "status", "phase");
  if (textAt(pod, "metadata", "deletionTimestamp") !== "") return { kind: "hopeless", reason: "it is being deleted" };
  if (phase === "Failed" || phase === "Succeeded") return { kind: "hopeless", reason: describeEnd(pod, phase) };
  const status = listAt(pod, "status", "containerStatuses").find((entry) => textAt(entry, "name") === container);
  if (valueAt(status, "state", "running") !== undefined) return { kind: "ready" };
  const ended = valueAt(status, "state", "terminated");
  if (ended !== undefined) return { kind: "hopeless", reason: describe(ended, "its container has ended") };
  const waiting = valueAt(status, "state", "waiting");
  const reason = describe(waiting, describePlacing(pod) ?? `it is ${phase === "" ? "Pending" : phase}`);
  return { kind: HOPELESS.has(textAt(waiting, "reason")) ? "hopeless" : "waiting", reason };
}

/** Returns the name of a pod's default container. */
export function defaultContainerOf(pod: unknown): string {
  const named = textAt(pod, "metadata", "annotations", "kubectl.kubernetes.io/default-container");
  return named === "" ? textAt(pod, "spec", "containers", 0, "name") : named;
}

function describeEnd(pod: unknown, phase: string): string {
  const ended = listAt(pod, "status", "containerStatuses").map((entry) => valueAt(entry, "state", "terminated"));
  const first = ended.find((entry) => entry !== undefined);
  return describe(valueAt(pod, "status"), describe(first, `it has ended (${phase})`));
}

/** Returns why the scheduler finds no node for the pod, if known. */
function describePlacing(pod: unknown): string | undefined {
  const placing = listAt(pod, "status", "conditions").find((entry) => textAt(entry, "type") === "PodScheduled");
  return textAt(placing, "status") === "False" ? describe(placing, "no node takes it") : undefined;
}

function describe(state: unknown, otherwise: string): string {
  const parts = [textAt(state, "reason"), textAt(state, "message")].filter((part) => part !== "");
  return parts.length === 0 ? otherwise : parts.join(": ");
}
