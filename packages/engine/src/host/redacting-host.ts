import type { HostMiddleware } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { hostFuncs } from "./host-funcs.ts";

/**
 * Takes known secrets out of everything that leaves the run for others to see: published events and questions to the
 * user. Checkpoints keep what a resume needs.
 */
export function redactingHost(masker: Pick<Masker, "maskData">): HostMiddleware {
  return (inner) =>
    hostFuncs(inner, {
      publish: (envelope) => inner.publish(masker.maskData(envelope)),
      askUser: (prompt, options) => inner.askUser(masker.maskData(prompt), options),
    });
}
