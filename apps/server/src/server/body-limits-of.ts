import type { BodyLimits } from "../body/limited-body.ts";
import type { ServerOptions } from "./server-options.ts";

/** Most bytes of a request unless the host says otherwise. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Longest pause of a request's body, in milliseconds, unless the host says otherwise. */
const BODY_IDLE_MS = 30_000;

/** The limits of bodies that a server was started with. */
export function bodyLimitsOf(
  { maxBodyBytes = MAX_BODY_BYTES, bodyIdleMs = BODY_IDLE_MS }: Pick<ServerOptions, "maxBodyBytes" | "bodyIdleMs">,
  signal: AbortSignal,
): BodyLimits {
  return { maxBodyBytes, bodyIdleMs, signal };
}
