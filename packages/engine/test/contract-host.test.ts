import { EngineError, type Envelope, type Host } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { expectInapplicable, type HostSubject, hostContract, recordingHost } from "@switchyard/testkit";
import { describe, test } from "vitest";
import {
  budgetHost,
  composeHost,
  createEventBus,
  createInterruptLatch,
  hostFuncs,
  noopHost,
  patternAllRuns,
  redactingHost,
} from "../src/index.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

const BUDGET_TOKENS = 1_000;

/** A host with a bus, an interrupt latch and a budget, without secrets. */
function composedHost(): HostSubject {
  const bus = createEventBus();
  const latch = createInterruptLatch();
  const recorder = recordingHost();
  const base: Host = hostFuncs(recorder, {
    publish: (envelope) => bus.publish(envelope),
    interrupts: () => latch.source,
    askUser: async (_prompt, { signal } = {}) => {
      signal?.throwIfAborted();
      return { parts: [{ type: "text", text: "yes" }] };
    },
  });
  const masker = createMasker([]);
  return {
    host: composeHost(base, redactingHost(masker), undefined, budgetHost({ totalTokens: BUDGET_TOKENS })),
    hasUser: true,
    interrupt: (interrupt) => void latch.interrupt(interrupt),
    observe: (listener) => void show(bus.subscribe(patternAllRuns()), listener),
    totalUsage: () => recorder.totalUsage,
    budgetTokens: BUDGET_TOKENS,
    dispose: () => bus.close(),
  };
}

/** Passes events to a listener that may fail, as a user interface does. */
async function show(events: AsyncIterable<Envelope>, listener: (envelope: Envelope) => void): Promise<void> {
  try {
    for await (const envelope of events) listener(envelope);
  } catch (error) {
    if (EngineError.is(error)) throw error;
  }
}

// It has no user, no interrupts, no budget, and stores nothing.
const EMPTY = [
  "host/user-answers",
  "host/no-interrupt",
  "host/interrupt-reaches-all",
  "host/interrupt-stays",
  "host/checkpoint-kept",
  "host/checkpoint-fails-loudly",
  "host/events-shown",
  "host/failing-observer",
  "host/kept-before-shown",
  "host/kept-in-order",
  "host/usage-adds-up",
  "host/budget",
];
// It has a user and a budget, and stores nothing.
const COMPOSED = [
  "host/no-user",
  "host/usage-taken",
  "host/checkpoint-kept",
  "host/checkpoint-fails-loudly",
  "host/kept-before-shown",
  "host/kept-in-order",
];

describe("the empty host fulfils the contract", () => {
  for (const one of expectInapplicable(hostContract, EMPTY))
    test(one.title, ({ skip }) => one.run(noopHost, { onSkip: skip, timeoutMs: CASE_MS }));
});

describe("a composed host fulfils the contract", () => {
  for (const one of expectInapplicable(hostContract, COMPOSED))
    test(one.title, ({ skip }) => one.run(composedHost, { onSkip: skip, timeoutMs: CASE_MS }));
});
