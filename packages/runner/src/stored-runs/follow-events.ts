import { type Envelope, type RunStore, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { SYSTEM_TIMER, type Timer } from "../control/timer.ts";

/** Interval between two reads of the store, in milliseconds. */
const INTERVAL_MS = 250;

/** Options of `followEvents`. */
export interface FollowEventsOptions {
  /** Ends the iteration. */
  readonly signal: AbortSignal;
  /** Waits between two reads. Default: the process's timer. */
  readonly timer?: Timer | undefined;
}

/**
 * Yields the stored events of a run, then new events, until the run has ended, its process is dead, or `signal` aborts.
 */
export async function* followEvents(
  store: Pick<RunStore, "show" | "events">,
  runId: string,
  { signal, timer = SYSTEM_TIMER }: FollowEventsOptions,
): AsyncGenerator<Envelope, void, undefined> {
  for (let last = 0; ; ) {
    // The run's state is read before its events, so that no event is missed if the run ends in between.
    const { record, lease } = await store.show(runId);
    for await (const envelope of store.events(runId, last)) {
      last = envelope.seq ?? last;
      yield envelope;
    }
    const isOver = record === undefined || TERMINAL_RUN_STATUSES.includes(record.status);
    if (isOver || (record.status !== "queued" && lease?.isHeld === false) || signal.aborted) return;
    await timer.sleep(INTERVAL_MS, { signal }).catch(() => undefined);
  }
}
