import { boardContract, busContract, type StreamRouterFactory, streamRouterContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { createBoard, createEventBus, createStreamRouter } from "../src/index.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

describe("the board fulfils the contract", () => {
  for (const one of boardContract)
    test(one.title, ({ skip }) => one.run(createBoard, { onSkip: skip, timeoutMs: CASE_MS }));
});

describe("the bus fulfils the contract", () => {
  for (const one of busContract)
    test(one.title, ({ skip }) => one.run(createEventBus, { onSkip: skip, timeoutMs: CASE_MS }));
});

describe("the router fulfils the contract", () => {
  const factory: StreamRouterFactory = (options) => {
    const bus = createEventBus();
    // @ts-expect-error a bus is required
    return { bus, router: createStreamRouter(bus, options), withoutBus: () => createStreamRouter(undefined) };
  };
  for (const one of streamRouterContract)
    test(one.title, ({ skip }) => one.run(factory, { onSkip: skip, timeoutMs: CASE_MS }));
});
