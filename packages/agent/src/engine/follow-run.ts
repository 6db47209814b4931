import { DEPENDENCY, EngineError, type Interrupt, isControlSource } from "@switchyard/contracts";
import { errorOfSignal, getDependency, interruptedError } from "@switchyard/engine";
import { MAX_TIMER_MS } from "../session/max-timer-ms.ts";
import type { Session } from "../session/session.ts";
import type { Ending, SessionRun } from "./session-run.ts";

/** Why a run is followed no longer. */
const OVER = "over";

/** Hands over what a person says to the agent, also before it begins; the returned function ends that. */
export function followControl({ run }: SessionRun, session: Session): () => void {
  if (!run.deps.has(DEPENDENCY.control)) return () => {};
  const source = getDependency(run.deps, DEPENDENCY.control, isControlSource);
  let hasBegun = false;
  const takeOver = (): void => {
    // What would come behind the last answer stays where it is: whoever has it can say so.
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

/** Aborts the session when the run is to stop: interrupted, cancelled, or out of time, which each attempt has anew. */
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
  // A host whose interrupts fail has none.
  void host
    .interrupts()
    ?.receive(over.signal)
    .then(onInterrupt, () => {});
  const timeoutMs = (input.timeout_seconds ?? 0) * 1_000;
  const timeUp = (): void => stop(new EngineError("run.timed_out", { timeoutMs }));
  const timer = timeoutMs > 0 ? setTimeout(timeUp, Math.min(timeoutMs, MAX_TIMER_MS)) : undefined;
  return () => {
    clearTimeout(timer);
    // With a reason, as the default one is an error with a stack.
    over.abort(OVER);
  };
}
