import type { Envelope, ModelFallback } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Returns the switch to a fallback model that an event reports. `undefined` for other event types. */
export function modelFallbackIn({ type, payload }: Envelope): ModelFallback | undefined {
  if (type !== "model_fallback") return undefined;
  const { from, to, error } = payload;
  // The engine may have published a malformed payload.
  const isReadable = typeof from === "string" && typeof to === "string" && isRecord(error);
  return isReadable ? { from, to, error } : undefined;
}
