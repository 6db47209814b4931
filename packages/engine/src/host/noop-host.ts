import { EngineError, type Host } from "@switchyard/contracts";

/**
 * Returns a host for engines that need none. It discards events, checkpoints and usage, never interrupts, and rejects
 * questions. See engine: NoopHost.
 */
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
