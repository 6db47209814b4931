import type { Host } from "@switchyard/contracts";

/** A call of an engine to its host, except polling for interrupts. */
export type HostCall = "publish" | "askUser" | "checkpoint" | "reportUsage";

/** Returns a host that reports each call with its number before passing it on. */
export function watchedHost(inner: Host, onCall: (number: number, call: HostCall) => void): Host {
  let calls = 0;
  const count = (call: HostCall): void => {
    calls += 1;
    onCall(calls, call);
  };
  return {
    publish: async (envelope) => {
      count("publish");
      await inner.publish(envelope);
    },
    interrupts: () => inner.interrupts(),
    askUser: async (prompt, options) => {
      count("askUser");
      return inner.askUser(prompt, options);
    },
    checkpoint: async (checkpoint) => {
      count("checkpoint");
      await inner.checkpoint(checkpoint);
    },
    reportUsage: async (usage) => {
      count("reportUsage");
      await inner.reportUsage(usage);
    },
  };
}
