import type { FakeProcesses } from "./fake-pod.ts";

/** State of a pod as reported by the server. */
export interface PodStatus {
  readonly phase: string;
  readonly conditions?: readonly object[];
  readonly containerStatuses: readonly object[];
}

/** A pod that is registered at the server. */
export interface PodRecord {
  readonly namespace: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Evaluated for each report, because a pod may change over time. */
  status(): PodStatus;
  processes: FakeProcesses | undefined;
}

/** A container that runs. */
export function runningStatus(container: string): PodStatus {
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  return { phase: "Running", containerStatuses: [{ name: container, ready: true, restartCount: 0, state }] };
}

/** A container that waits for a reason. */
export function waitingStatus(container: string, reason: string, message = ""): PodStatus {
  const state = { waiting: { reason, message } };
  return { phase: "Pending", containerStatuses: [{ name: container, ready: false, restartCount: 0, state }] };
}

/** A pod that no node takes. */
export function unplacedStatus(message: string): PodStatus {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  return { phase: "Pending", conditions: [condition], containerStatuses: [] };
}

/** A pod that has ended. */
export function endedStatus(container: string, reason: string, exitCode: number): PodStatus {
  const state = { terminated: { reason, exitCode } };
  return { phase: "Failed", containerStatuses: [{ name: container, ready: false, restartCount: 0, state }] };
}

/** The pod as JSON of the API. */
export function renderPod({ namespace, name, metadata, spec, status }: PodRecord): object {
  const identity = { name, namespace, uid: `uid-${name}`, creationTimestamp: "2026-01-01T00:00:00Z" };
  return { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, ...identity }, spec, status: status() };
}
