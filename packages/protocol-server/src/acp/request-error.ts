import { RequestError } from "@agentclientprotocol/sdk";
import { errorText, type WireError } from "@switchyard/contracts";

/** Converts an error to a `RequestError`, so that editors show its message and remedy. */
export function toRequestError({
  code,
  message,
  remedy,
}: Pick<WireError, "code" | "message" | "remedy">): RequestError {
  return RequestError.internalError({ code, remedy }, errorText({ message, remedy }));
}
