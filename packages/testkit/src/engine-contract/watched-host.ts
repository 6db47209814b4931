import type { Host } from "@switchyard/contracts";

/** Name of a host function that an engine calls. Polling for interrupts is not included. */
export type HostCall = "publish" | "askUser" | "checkpoint" | "reportUsage";

/** Wraps a host. Before each call is passed on, `onCall` is called with the number of the call. */
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
