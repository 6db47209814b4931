import type { HostMiddleware } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { hostFuncs } from "./host-funcs.ts";

/**
 * Returns a middleware (wrapper of a host) that masks known secrets in published events and in questions to the user.
 * Checkpoints are not masked, because a resume needs the original values.
 */
export function redactingHost(masker: Pick<Masker, "maskData">): HostMiddleware {
  return (inner) =>
    hostFuncs(inner, {
      publish: (envelope) => inner.publish(masker.maskData(envelope)),
      askUser: (prompt, options) => inner.askUser(masker.maskData(prompt), options),
    });
}
