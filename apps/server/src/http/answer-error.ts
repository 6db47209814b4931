import type { EngineError, WireError } from "@switchyard/contracts";
import { problemResponse } from "./problem-response.ts";
import type { RequestContext } from "./request-facts.ts";

/** Header with the id of the run that a request concerns. */
export const RUN_ID_HEADER = "switchyard-run-id";
/** Error codes after which the connection is closed: the client has too many connections or tries to guess tokens. */
const CLOSING: ReadonlySet<string> = new Set(["server.too_many_attempts", "server.too_many_connections"]);

/** Returns the response for a failed request, and notes the error code for the log. */
export function answerError(context: RequestContext, error: EngineError | WireError): Response {
  const about = { ...context.get("about"), code: error.code };
  context.set("about", about);
  const { status, headers, body } = problemResponse(error, {
    masker: context.get("masker"),
    isCallers: context.get("isCallers"),
  });
  return new Response(body, {
    status,
    headers: {
      ...headers,
      ...(about.run_id === undefined ? {} : { [RUN_ID_HEADER]: about.run_id }),
      // Closes the connection if the request has not been read completely.
      ...(context.env.incoming.complete && !CLOSING.has(error.code) ? {} : { connection: "close" }),
    },
  });
}
