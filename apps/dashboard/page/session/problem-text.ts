import { EngineError, errorText } from "@switchyard/contracts";

/** What to do after an error, in terms of this page, by error code. */
const TEXTS: Readonly<Record<string, string>> = {
  "server.unreachable": "The server does not respond. Check that it is running; this page tries again automatically.",
  "server.missing_role":
    "Your token does not allow this. Ask the operator of the server for a token with the role `runner`, or with the role `approver` to permit tool calls.",
  "server.unknown_run": "This run does not exist. It may have been deleted, or it belongs to another caller.",
  "server.rate_limited": "The server limits your requests. Wait a minute.",
  "server.too_many_attempts": "Too many invalid tokens were sent from this address. Wait a minute, then try again.",
  "server.run_at_work": "The run is still in progress. Interrupt it first.",
  "server.run_not_at_work": "The run is not in progress any more. Reload the page to see its current state.",
  "server.draining": "The server is shutting down. Try again when it has restarted.",
  "server.queue_full": "The queue of the server is full. Try again when some runs have ended.",
  "prompt.unknown": "This question was already answered.",
};

/** Returns what failed and what to do, for an error of a request. */
export function problemText(error: unknown): string {
  if (!EngineError.is(error)) return error instanceof Error ? error.message : String(error);
  return TEXTS[error.code] ?? errorText(error);
}

/** Returns whether an error means that the token is missing or invalid. */
export function needsToken(error: unknown): boolean {
  return EngineError.is(error, "server.unauthorized");
}
