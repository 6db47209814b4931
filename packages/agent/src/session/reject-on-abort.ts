import { EngineError } from "@switchyard/contracts";
import { forgetAborted, whenAborted } from "./when-aborted.ts";

/**
 * Resolves with the promise's value. If the session is aborted first, rejects with `llm.aborted`, even if the work
 * behind the promise ignores the signal.
 */
export function rejectOnAbort<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new EngineError("llm.aborted", {}, { cause: signal.reason }));
    whenAborted(signal, giveUp);
    call.finally(() => forgetAborted(signal, giveUp)).then(resolve, reject);
  });
}
