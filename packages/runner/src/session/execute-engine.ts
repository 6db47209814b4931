import { EngineError, type Run } from "@switchyard/contracts";
import type { Ending } from "./outcome.ts";
import type { RunningSession } from "./running-session.ts";
import { cancelledError } from "./stop-control.ts";

const MS_PER_SECOND = 1_000;

/**
 * Runs the engine to its end, or to the end of the time it has to stop. Never rejects: whatever an engine does is
 * an ending. architecture: flow 6; promise D10.
 */
export async function executeEngine(session: RunningSession): Promise<Ending> {
  const { plan, stop } = session;
  // An engine is not begun only to be stopped.
  if (stop.request !== undefined) return { kind: "threw", error: stop.request.error };
  return Promise.race([attempt(session), stop.givenUp.then((): Ending => ({ kind: "given_up" }))]);

  async function attempt({ events }: RunningSession): Promise<Ending> {
    try {
      const board = await plan.engine.execute(runOf(session), plan.host, plan.board);
      if (board !== plan.board) {
        await events.warn(
          "foreign_board",
          "The engine gave back another board than the one it was given; it was ignored.",
        );
      }
      return { kind: "returned" };
    } catch (error) {
      return { kind: "threw", error };
    }
  }
}

/** Stops the run when its time is up or its host cancels it; the returned function ends that. */
export function armStops({ plan, stop }: RunningSession): () => void {
  const disarmed = new AbortController();
  const { signal } = plan.options;
  const cancel = (): void => {
    stop.stop("cancelled", cancelledError(signal?.reason));
  };
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true, signal: disarmed.signal });

  const timeoutMs = (plan.input.timeout_seconds ?? 0) * MS_PER_SECOND;
  if (timeoutMs > 0) {
    const expire = (): boolean => stop.stop("timed_out", new EngineError("run.timed_out", { timeoutMs }));
    // Disarmed while waiting: the run ended in time.
    plan.timer.sleep(timeoutMs, { signal: disarmed.signal }).then(expire, () => undefined);
  }
  return () => disarmed.abort();
}

function runOf({ plan, stop }: RunningSession): Run {
  const { runId, options, attributes, deps } = plan;
  return Object.freeze({
    id: runId,
    ...(options.parentRunId === undefined ? {} : { parentRunId: options.parentRunId }),
    attributes,
    deps,
    signal: stop.signal,
  });
}
