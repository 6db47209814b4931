import { isJsonObject, numberAt, objectAt, textAt } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";

/** Returns the code of an agent's error. */
export function codeOf(error: EngineError): number | undefined {
  return isJsonObject(error.cause) ? numberAt(error.cause, "code") : undefined;
}

/** Returns the message of an agent's error. Includes the error's `data`, because many agents put the reason there. */
export function problemOf(error: EngineError): string {
  const problem = String(error.details["problem"]);
  const details = textAt(objectAt(error.cause, "data"), "details");
  return details === "" || problem.includes(details) ? problem : `${problem}: ${details}`;
}

/** ACP error code: the requested resource does not exist. */
const RESOURCE_NOT_FOUND = -32_002;
/** Matches error messages of agents that do not have the requested session. */
const NO_SESSION =
  /\b(?:session|thread|conversation)\b[^.]*\bnot found\b|\bno (?:rollout|previous sessions?|session|conversation)\b[^.]*\bfound\b|\binvalid session identifier\b|\bunknown session\b/iu;

/** Returns true if an agent reported that it does not have the session to load. */
export function isSessionUnknown(error: unknown): error is EngineError {
  if (!EngineError.is(error, "adapter.response_error")) return false;
  return codeOf(error) === RESOURCE_NOT_FOUND || NO_SESSION.test(problemOf(error));
}
