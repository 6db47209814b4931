import { isJsonObject, numberAt, objectAt, textAt } from "@switchyard/adapter-kit";
import type { EngineError } from "@switchyard/contracts";

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
