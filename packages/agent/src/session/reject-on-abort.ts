import { EngineError } from "@switchyard/contracts";
import { forgetAborted, whenAborted } from "./when-aborted.ts";

/**
 * Resolves with the promise's value, or rejects with `llm.aborted` when the session is aborted, even if the call
 * ignores the signal.
 */
export function rejectOnAbort<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new EngineError("llm.aborted", {}, { cause: signal.reason }));
    whenAborted(signal, giveUp);
    call.finally(() => forgetAborted(signal, giveUp)).then(resolve, reject);
  });
}
