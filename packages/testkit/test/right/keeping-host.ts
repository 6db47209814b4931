import type { Checkpoint, Envelope, Host, Usage } from "@switchyard/contracts";
import { addUsage, EngineError, NO_USAGE } from "@switchyard/contracts";
import { type HostSubject, recordingHost } from "../../src/index.ts";

/** A host with everything that a host can promise. */
export function keepingHost({
  hasUser = true,
  budgetTokens,
}: {
  hasUser?: boolean;
  budgetTokens?: number;
} = {}): HostSubject {
  const recorder = recordingHost(hasUser ? { askUser: () => ({ parts: [{ type: "text", text: "yes" }] }) } : {});
  const listeners: ((envelope: Envelope) => void)[] = [];
  const recorded: Envelope[] = [];
  let checkpoint: Checkpoint | undefined;
  let isFull = false;
  let used: Usage = NO_USAGE;
  const host: Host = {
    publish: async (envelope) => {
      recorded.push({ ...envelope, seq: recorded.length + 1 });
      for (const listener of listeners) {
        try {
          listener(envelope);
        } catch {
          // An observer is not part of the run.
        }
      }
    },
    interrupts: () => recorder.interrupts(),
    askUser: (prompt, options) => recorder.askUser(prompt, options),
    checkpoint: async (saved) => {
      if (isFull) throw new EngineError("run.store_failed", { path: "runs", problem: "the disk is full" });
      checkpoint = structuredClone(saved);
    },
    reportUsage: async (usage) => {
      used = addUsage(used, usage);
      if (budgetTokens !== undefined && used.totalTokens >= budgetTokens) {
        throw new EngineError("budget.exceeded", { budget: "tokens", used: used.totalTokens, limit: budgetTokens });
      }
    },
  };
  return {
    host,
    hasUser,
    interrupt: (interrupt) => void recorder.interrupt(interrupt),
    load: () => structuredClone(checkpoint),
    fillDisk: () => {
      isFull = true;
    },
    observe: (listener) => void listeners.push(listener),
    stored: () => [...recorded],
    totalUsage: () => used,
    budgetTokens,
  };
}
