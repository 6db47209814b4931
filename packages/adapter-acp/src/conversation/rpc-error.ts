import { isJsonObject, numberAt, objectAt, textAt } from "@switchyard/adapter-kit";
import { EngineError } from "@switchyard/contracts";

/** The code that an agent gave its error. */
export function codeOf(error: EngineError): number | undefined {
  return isJsonObject(error.cause) ? numberAt(error.cause, "code") : undefined;
}

/** What an agent says of its error; many keep the reason in the data. */
export function problemOf(error: EngineError): string {
  const problem = String(error.details["problem"]);
  const details = textAt(objectAt(error.cause, "data"), "details");
  return details === "" || problem.includes(details) ? problem : `${problem}: ${details}`;
}

/** ACP: the resource that a request names does not exist. */
const RESOURCE_NOT_FOUND = -32_002;
/** How agents say that they do not have a session. */
const NO_SESSION =
  /\b(?:session|thread|conversation)\b[^.]*\bnot found\b|\bno (?:rollout|previous sessions?|session|conversation)\b[^.]*\bfound\b|\binvalid session identifier\b|\bunknown session\b/iu;

/** True if an agent answered that it does not have the session it was asked to load. */
export function isSessionUnknown(error: unknown): error is EngineError {
  if (!EngineError.is(error, "adapter.response_error")) return false;
  return codeOf(error) === RESOURCE_NOT_FOUND || NO_SESSION.test(problemOf(error));
}
