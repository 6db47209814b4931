import type { RunProgress } from "@switchyard/engine";

/**
 * DBOS topic of the messages to a run. Another program sends a `RunSignal` to this topic with
 * `DBOSClient.send(workflowId, signal, RUN_SIGNALS)`.
 */
export const RUN_SIGNALS = "switchyard.signals";

/** Name of the DBOS event that contains the {@link RunStatusEvent} of a run. */
export const RUN_STATUS = "switchyard.status";

/**
 * Name of the DBOS stream that contains the stored events of a run: for each step, one list of envelopes (events with
 * sequence number and time).
 */
export const RUN_EVENTS = "switchyard.events";

/** Status of a run and its open questions, after each step. */
export type RunStatusEvent = Omit<RunProgress, "events">;
