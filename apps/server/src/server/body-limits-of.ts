import type { BodyLimits } from "../body/limited-body.ts";
import type { ServerOptions } from "./server-options.ts";

/** Default maximum size of a request, in bytes. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Default maximum time between two chunks of a request's body, in milliseconds. */
const BODY_IDLE_MS = 30_000;

/** Returns the server's request body limits. */
export function bodyLimitsOf(
  { maxBodyBytes = MAX_BODY_BYTES, bodyIdleMs = BODY_IDLE_MS }: Pick<ServerOptions, "maxBodyBytes" | "bodyIdleMs">,
  signal: AbortSignal,
): BodyLimits {
  return { maxBodyBytes, bodyIdleMs, signal };
}
