import { certificateProblem, EngineError, errorText, messageOf } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { cleanLine } from "../text/clean-text.ts";
import type { McpSdk } from "../transport/mcp-sdk.ts";
import type { OpenedTransport } from "../transport/open-transport.ts";

/** Maximum length of a problem description, in characters. A longer one is truncated. */
const MAX_PROBLEM_CHARS = 500;
/** Maximum number of characters of a message that are processed. The rest is ignored. */
const MAX_READ_CHARS = 20_000;

/** Category of a failure, which determines what happens to the connection. */
export type FailureKind = "timeout" | "lost" | "session_lost" | "refused" | "forbidden" | "other";

const LOST_CODES = new Set(["CONNECTION_CLOSED", "NOT_CONNECTED", "SEND_FAILED"]);

/** Classifies an error with which a call of the MCP SDK rejected. */
export function kindOfFailure(error: unknown, sdk: McpSdk): FailureKind {
  if (sdk.SdkHttpError.isInstance(error)) {
    if (error.status === 404) return "session_lost";
    return error.status === 401 || error.status === 403 ? "forbidden" : "other";
  }
  if (EngineError.is(error, "mcp.sign_in_needed")) return "forbidden";
  if (sdk.UnauthorizedError.isInstance(error)) return "forbidden";
  if (sdk.SdkError.isInstance(error)) {
    if (error.code === "REQUEST_TIMEOUT") return "timeout";
    return LOST_CODES.has(error.code) ? "lost" : "other";
  }
  if (sdk.ProtocolError.isInstance(error)) return "refused";
  // `fetch` reports every network failure, such as a refused connection, as a TypeError.
  return error instanceof TypeError || messageOf(error) === "Not connected" ? "lost" : "other";
}

function causesOf(error: unknown): string {
  // The error that asks the user to log in is returned alone, because its remedy is more useful than the cause.
  if (EngineError.is(error, "mcp.sign_in_needed")) return errorText(error);
  const cause = error instanceof Error ? error.cause : undefined;
  const untrusted = certificateProblem(error);
  if (untrusted !== undefined) return untrusted;
  const message = cause === undefined ? "" : messageOf(cause);
  return message === "" ? messageOf(error) : `${messageOf(error)} (${message})`;
}

/** Returns a failure as one line without secrets, followed by the end of the server's error output. */
export function describeFailure(
  error: unknown,
  { masker, clues }: { masker: Masker; clues?: ReturnType<OpenedTransport["clues"]> | undefined },
): string {
  const reason = clues?.problem ?? causesOf(error);
  const problem = cleanLine(masker.mask(reason.slice(0, MAX_READ_CHARS)), MAX_PROBLEM_CHARS);
  // The error output needs no masking here, because it was masked when it was received.
  const errors = cleanLine((clues?.errors ?? "").slice(-MAX_PROBLEM_CHARS), MAX_PROBLEM_CHARS);
  return errors === "" ? problem : `${problem}; it printed: ${errors}`;
}
