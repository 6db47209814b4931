import { DEPENDENCY, EngineError, type Interrupt, isControlSource } from "@switchyard/contracts";
import { errorOfSignal, getDependency, interruptedError } from "@switchyard/engine";
import { MAX_TIMER_MS } from "../session/max-timer-ms.ts";
import type { Session } from "../session/session.ts";
import type { Ending, SessionRun } from "./session-run.ts";

/** Abort reason with which the subscription to a run's messages and interrupts ends. */
const OVER = "over";

/**
 * Forwards user messages of the run to the session, including those that arrived before the session started. Returns a
 * function that stops the forwarding.
 */
export function followControl({ run }: SessionRun, session: Session): () => void {
  if (!run.deps.has(DEPENDENCY.control)) return () => {};
  const source = getDependency(run.deps, DEPENDENCY.control, isControlSource);
  let hasBegun = false;
  const takeOver = (): void => {
    // Messages after the last model response stay in the queue, so that the host can report them as not delivered.
    if (hasBegun && !session.isWorking) return;
    hasBegun = true;
    for (const message of source.drain()) {
      if (message.type === "steer") session.steer(message.text);
      else session.followUp(message.text);
    }
  };
  takeOver();
  return source.onMessage(takeOver);
}

/**
 * Aborts the session if the run is interrupted, cancelled or times out. The time limit applies to each attempt. Returns
 * a function that stops watching.
 */
export function followStops(job: SessionRun, session: Session, ending: Ending): () => void {
  const { run, host, input } = job;
  const over = new AbortController();
  const stop = (error: EngineError): void => {
    ending.error ??= error;
    void session.abort(error);
  };
  const onAbort = (): void => stop(errorOfSignal(run.signal));
  if (run.signal.aborted) onAbort();
  run.signal.addEventListener("abort", onAbort, { once: true, signal: over.signal });
  const onInterrupt = (interrupt: Interrupt | undefined): void => {
    if (interrupt !== undefined) stop(interruptedError(interrupt));
  };
  // If the subscription to interrupts fails, the run continues without interrupts.
  void host
    .interrupts()
    ?.receive(over.signal)
    .then(onInterrupt, () => {});
  const timeoutMs = (input.timeout_seconds ?? 0) * 1_000;
  const timeUp = (): void => stop(new EngineError("run.timed_out", { timeoutMs }));
  const timer = timeoutMs > 0 ? setTimeout(timeUp, Math.min(timeoutMs, MAX_TIMER_MS)) : undefined;
  return () => {
    clearTimeout(timer);
    // An explicit abort reason is cheaper than the default reason, which is an error with a stack trace.
    over.abort(OVER);
  };
}
