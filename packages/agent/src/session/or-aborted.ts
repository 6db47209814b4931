import { EngineError } from "@switchyard/contracts";
import { forgetAborted, whenAborted } from "./when-aborted.ts";

/** The promise's value, or a rejection as soon as the session is aborted, whether or not the call heeds the signal. */
export function orAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new EngineError("llm.aborted", {}, { cause: signal.reason }));
    whenAborted(signal, giveUp);
    call.finally(() => forgetAborted(signal, giveUp)).then(resolve, reject);
  });
}
