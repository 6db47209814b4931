import * as restate from "@restatedev/restate-sdk";
import type { RunSignal } from "@switchyard/engine";

/** Handlers of the inbox of a run, a Restate virtual object. */
export interface RunInboxHandlers {
  /** Stores a signal, and wakes the workflow if the workflow waits for signals. */
  push(context: restate.ObjectContext, signal: RunSignal): Promise<void>;
  /**
   * Returns and removes the stored signals. If no signal is stored, the caller can wait for the next one: it passes
   * `awakeable`, the id of a Restate promise, which the next signal resolves. If signals are stored or `awakeable` is
   * null, no promise waits any longer.
   */
  take(context: restate.ObjectContext, awakeable: string | null): Promise<readonly RunSignal[]>;
}

/** Inbox of a run, a Restate virtual object. */
export type RunInbox = restate.VirtualObjectDefinition<string, RunInboxHandlers>;

const SIGNALS = "signals";
const WAITING = "waiting";

/**
 * Creates the inbox of runs: a virtual object with the same key as the workflow. A virtual object executes one handler
 * at a time, so signals have an order, and a signal that arrives while the workflow starts to wait is not lost.
 */
export function createRunInbox(name: string): RunInbox {
  return restate.object({
    name,
    handlers: {
      async push(context: restate.ObjectContext, signal: RunSignal): Promise<void> {
        const signals = (await context.get<readonly RunSignal[]>(SIGNALS)) ?? [];
        context.set(SIGNALS, [...signals, signal]);
        const waiting = await context.get<string>(WAITING);
        if (waiting === null) return;
        context.resolveAwakeable(waiting, null);
        context.clear(WAITING);
      },
      async take(context: restate.ObjectContext, awakeable: string | null): Promise<readonly RunSignal[]> {
        const signals = (await context.get<readonly RunSignal[]>(SIGNALS)) ?? [];
        context.clear(SIGNALS);
        if (signals.length > 0 || awakeable === null) context.clear(WAITING);
        else context.set(WAITING, awakeable);
        return signals;
      },
    },
  });
}
