import type { IncomingMessage } from "node:http";
import { EngineError, type RunCluster } from "@switchyard/contracts";
import { createRunId } from "@switchyard/runner";
import { readCall } from "../body/read-call.ts";
import type { CallOutcome } from "../run/call-outcome.ts";
import { traceparentOf } from "../run/observer-of.ts";
import { outcomeOf } from "../run/run-call.ts";
import type { RunSlot } from "../run/run-executor.ts";
import { openRunWorkspace } from "../run/run-workspace.ts";
import { STAGING_PREFIX, storeRun } from "../runs/accept-run.ts";
import type { RunsParts } from "../runs/runs-parts.ts";
import { bodyLimitsOf } from "../server/body-limits-of.ts";
import type { ClusterView } from "./cluster-view.ts";
import { artifactOnBroker } from "./outcome-files.ts";

/** Wait before the next attempt to interrupt a run that no worker executes yet, in milliseconds. */
const PAUSE_MS = 250;

/** Parts of a server that are needed for a run which a worker executes while its caller waits. */
interface CallParts extends RunsParts {
  readonly view: ClusterView;
  readonly cluster: RunCluster;
}

/**
 * Reads a `POST /v1/run` request, lets a worker execute the run, and returns the outcome. Interrupts the run if the
 * caller disconnects or the server stops. Rejects if the run cannot be stored.
 */
export async function callOnWorkers(
  request: IncomingMessage,
  { slot, owner }: { slot: RunSlot; owner: string },
  parts: CallParts,
): Promise<CallOutcome> {
  const { options, view } = parts;
  const runId = createRunId((options.now ?? Date.now)());
  const workspace = await openRunWorkspace(`${STAGING_PREFIX}${runId}`, options);
  const ended = view.ended(runId);
  try {
    const limits = bodyLimitsOf(options, slot.stopped);
    const input = await workspace.withFiles((takeFile) => readCall(request, { ...limits, takeFile }));
    slot.stopped.throwIfAborted();
    const traceparent = traceparentOf(request);
    await storeRun({ runId, owner, input, workspace, webhookUrl: undefined, traceparent, isAwaited: true }, parts);
    await untilEnd(runId, { slot, ended }, parts);
    return await storedOutcome(runId, parts);
  } finally {
    view.forgetAwaited(runId);
    await workspace.remove();
  }
}

/**
 * Waits for the end of a run. If the run must stop (`slot.stopped`), interrupts it and continues to wait. If it must
 * stop immediately (`slot.cancelled`), rejects.
 */
async function untilEnd(
  runId: string,
  { slot, ended }: { readonly slot: RunSlot; readonly ended: Promise<void> },
  { dispatcher }: Pick<CallParts, "dispatcher">,
): Promise<void> {
  const over = new AbortController();
  const cancelled = aborted(slot.cancelled).then(() => {
    throw new EngineError("server.draining");
  });
  const interrupt = async (): Promise<void> => {
    await aborted(slot.stopped);
    const { detail } = slot.interrupt ?? {};
    while (!over.signal.aborted) {
      // A worker that was offered the run may not have begun yet.
      const isAccepted = await dispatcher.interrupt(runId, { cause: "user_cancel", detail }).then(
        () => true,
        (error: unknown) => !EngineError.is(error, "server.run_not_at_work"),
      );
      if (isAccepted) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const interrupting = interrupt();
  interrupting.catch(() => undefined);
  try {
    await Promise.race([ended, cancelled]);
  } finally {
    over.abort();
  }
}

/** Resolves when a signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function storedOutcome(runId: string, { options, store, cluster }: CallParts): Promise<CallOutcome> {
  const stored = await store.show(runId);
  const { report, record } = stored;
  if (report === undefined || record === undefined) throw new EngineError("run.no_result");
  return await outcomeOf(report, options, async (path) => {
    const content = await artifactOnBroker(stored, path, cluster);
    if (content === undefined) throw new Error("it is not on the broker");
    return content;
  });
}
