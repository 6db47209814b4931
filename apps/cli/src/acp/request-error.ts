import { RequestError } from "@agentclientprotocol/sdk";
import type { WireError } from "@switchyard/contracts";

/** What was wrong in a form that editors show: the sentence, and what to do next. */
export function toRequestError({
  code,
  message,
  remedy,
}: Pick<WireError, "code" | "message" | "remedy">): RequestError {
  return RequestError.internalError({ code, remedy }, `${message} ${remedy}`);
}
