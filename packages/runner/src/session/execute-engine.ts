import { type Board, EngineError, type Run } from "@switchyard/contracts";
import { loadAndResume } from "@switchyard/engine";
import { cancelledError } from "../control/stop-control.ts";
import type { Ending } from "../result/outcome.ts";
import type { RunningSession } from "./running-session.ts";

const MS_PER_SECOND = 1_000;

/**
 * Runs the engine until it ends, or until the grace period after a stop request is over. Never rejects: a failure is
 * returned as an `Ending`. See durability promise D10.
 */
export async function executeEngine(session: RunningSession): Promise<Ending> {
  const { plan, stop } = session;
  // If a stop was already requested, the engine is not started.
  if (stop.request !== undefined) return { kind: "threw", error: stop.request.error };
  return Promise.race([attempt(session), stop.abandoned.then((): Ending => ({ kind: "given_up" }))]);

  async function attempt({ events }: RunningSession): Promise<Ending> {
    try {
      const board = await begin(session);
      if (board !== plan.board) {
        await events.warn(
          "foreign_board",
          "The engine returned another board than the one it received; that board was ignored.",
        );
      }
      return { kind: "returned" };
    } catch (error) {
      return { kind: "threw", error };
    }
  }
}

/**
 * Stops the run when its time limit is reached or its host cancels it. Returns a function that removes both triggers.
 */
export function armStops({ plan, stop, earlier }: RunningSession): () => void {
  const disarmed = new AbortController();
  const { signal } = plan.options;
  const cancel = (): void => {
    stop.stop("cancelled", cancelledError(signal?.reason));
  };
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true, signal: disarmed.signal });

  const timeoutMs = timeLimitMs(plan);
  if (timeoutMs > 0) {
    const expire = (): boolean => stop.stop("timed_out", timedOutError(timeoutMs));
    // Earlier attempts have used part of the time. A rejected wait means that the run ended before the time limit.
    plan.timer
      .sleep(Math.max(0, timeoutMs - earlier.activeMs), { signal: disarmed.signal })
      .then(expire, () => undefined);
  }
  // Without a reason, the signal would create an error with a stack trace for each run.
  return () => disarmed.abort("the run has ended");
}

/** Returns the time limit of all attempts together, in milliseconds. 0 means no limit. */
export function timeLimitMs({ input }: Pick<RunningSession["plan"], "input">): number {
  return (input.timeout_seconds ?? 0) * MS_PER_SECOND;
}

/** Returns the error of a run that exceeded its time limit. */
export function timedOutError(timeoutMs: number): EngineError {
  return new EngineError("run.timed_out", { timeoutMs });
}

/** Starts the engine: executes it for the first attempt, or resumes it from the already checked checkpoint. */
function begin({ plan, stop, attempts, attempt, reason, writer }: RunningSession): Promise<Board> {
  const { runId, parentRunId, attributes, deps, engine, host, board, checkpoint } = plan;
  const run: Run = Object.freeze({
    id: runId,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    attributes,
    deps,
    signal: stop.signal,
  });
  if (attempts.isFirst) return engine.execute(run, host, board);
  const store = { load: async () => checkpoint };
  const startedAt = writer.record.started_at ?? writer.record.created_at;
  const signal = attempts.current === attempt ? reason : "retry";
  return loadAndResume(engine, { run, host, board, store, attempt: attempts.current, startedAt, signal });
}
