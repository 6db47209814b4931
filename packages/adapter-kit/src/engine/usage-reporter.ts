import { addUsage, type Host, hasErrorClass, NO_USAGE, type Usage } from "@switchyard/contracts";
import type { EventPublisher } from "./event-publisher.ts";

/** Reports the token usage of an agent to the host. Each token is reported only once. */
export interface UsageReporter {
  /** Resets the totals for a new session. */
  beginSession(): void;
  /** Accepts the total usage since the session started. */
  take(total: Usage): void;
  /** Returns the usage since the last turn. */
  takeTurn(): Usage;
  /** Returns all usage so far. */
  total(): Usage;
  /** Resolves when everything was reported. Rejects if a budget is used up. */
  settled(): Promise<void>;
}

const FIELDS = ["inputTokens", "outputTokens", "totalTokens"] as const;
const OPTIONAL = ["cacheReadTokens", "cacheWriteTokens", "costMicros"] as const;

/** Returns how much the usage has increased since an earlier total. `undefined` if it has not increased. */
function growth(total: Usage, before: Usage | undefined): Usage | undefined {
  const added: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  for (const field of FIELDS) added[field] = Math.max(0, total[field] - (before?.[field] ?? 0));
  for (const field of OPTIONAL) {
    const value = total[field];
    if (value !== undefined) added[field] = Math.max(0, value - (before?.[field] ?? 0));
  }
  if (total.model !== undefined) added.model = total.model;
  return added.totalTokens === 0 && (added.costMicros ?? 0) === 0 ? undefined : added;
}

/** Receivers of usage. */
export interface UsageReceivers {
  readonly host: Pick<Host, "reportUsage">;
  readonly events: Pick<EventPublisher, "publish">;
}

/**
 * Creates a reporter. `onExceeded` is called as soon as a budget is used up. `receivers` is `undefined` if the host
 * measures the usage of the run itself. The usage is then not reported, only added up for the results of turns.
 */
export function createUsageReporter(receivers: UsageReceivers | undefined, onExceeded: () => void): UsageReporter {
  let before: Usage | undefined;
  let [ofTurn, ofRun]: [Usage, Usage] = [NO_USAGE, NO_USAGE];
  let exceeded: { readonly error: unknown } | undefined;
  let queue: Promise<void> = Promise.resolve();
  async function report({ host }: UsageReceivers, usage: Usage): Promise<void> {
    try {
      await host.reportUsage(usage);
    } catch (error) {
      if (!hasErrorClass(error, "budget_exceeded")) return;
      exceeded ??= { error };
      onExceeded();
    }
  }
  return {
    beginSession() {
      before = undefined;
    },
    take(total) {
      const usage = growth(total, before);
      before = total;
      if (usage === undefined) return;
      ofTurn = addUsage(ofTurn, usage);
      ofRun = addUsage(ofRun, usage);
      if (receivers === undefined) return;
      receivers.events.publish("usage_reported", { usage });
      queue = queue.then(() => report(receivers, usage));
    },
    takeTurn() {
      const tokens = ofTurn;
      ofTurn = NO_USAGE;
      return tokens;
    },
    total: () => ofRun,
    async settled() {
      await queue;
      if (exceeded !== undefined) throw exceeded.error;
    },
  };
}
