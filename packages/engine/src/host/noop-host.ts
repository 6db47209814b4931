import { EngineError, type Host } from "@switchyard/contracts";

/** A host that drops events, checkpoints and usage, never interrupts, and refuses questions. engine: NoopHost. */
export function noopHost(): Host {
  return {
    publish: async () => {},
    interrupts: () => undefined,
    askUser: async () => {
      throw new EngineError("prompt.unavailable");
    },
    checkpoint: async () => {},
    reportUsage: async () => {},
  };
}
