import type { IncomingMessage, ServerResponse } from "node:http";
import { toEngineError } from "@switchyard/contracts";
import { type CallerRules, checkCaller } from "../guard/check-caller.ts";
import type { AppParts } from "./app-parts.ts";
import { problemResponse } from "./problem-response.ts";
import { requestLine } from "./request-line.ts";

/**
 * Rejects and logs a request that is not addressed to this server, or comes from another web page. Returns true if the
 * request was rejected. Runs before routing, because an invalid URL cannot be routed.
 */
export function refuseCaller(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  rules: CallerRules,
  { options: { now = Date.now, log }, audit }: Pick<AppParts, "options" | "audit">,
): boolean {
  try {
    checkCaller(request, rules);
    return false;
  } catch (thrown) {
    const error = toEngineError(thrown);
    const { status, headers, body } = problemResponse(error);
    // Closes the connection, because the body of the request has not been read.
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body), connection: "close" });
    response.end(request.method === "HEAD" ? undefined : body);
    request.resume();
    const atMs = now();
    const about = { code: error.code };
    void audit?.write({ incoming: request, atMs, status, code: error.code });
    log?.(requestLine({ method: request.method ?? "", status, startedMs: atMs, endedMs: atMs, about }));
    return true;
  }
}
