import type { RunStatus } from "@switchyard/contracts";
import type { JSX } from "preact";

const LABELS: Readonly<Record<RunStatus, string>> = {
  queued: "queued",
  running: "running",
  awaiting_input: "needs answer",
  completed: "completed",
  failed: "failed",
  error: "error",
  interrupted: "interrupted",
  cancelled: "cancelled",
  timed_out: "timed out",
};

/** Status of a run, as coloured text. */
export function StatusMark({ status }: { status: RunStatus }): JSX.Element {
  return <span class={`status status-${status}`}>{LABELS[status] ?? status}</span>;
}
