import {
  type ContractCase,
  httpTransportContract,
  localTransportContract,
  type TransportFactory,
  transportContract,
} from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openHttpTransport } from "./http-factory.ts";
import { openLocalTransport } from "./local-factory.ts";

// Opening, checking and releasing may each take that long.
const PHASES = 3;
const CASE_MS = 120_000;

function prove(cases: readonly ContractCase<TransportFactory>[], factory: TransportFactory): void {
  for (const one of cases) {
    const timeout = PHASES * CASE_MS;
    test(`${one.title} (${one.id})`, { timeout }, ({ skip }) => one.run(factory, { timeoutMs: CASE_MS, onSkip: skip }));
  }
}

// Most of the time of a case is waiting, for processes to start or for a timeout.
describe.concurrent("the same cases, with commands [custom-session-input-10, custom-selection-6]", () => {
  prove(transportContract, openLocalTransport);
});

describe.concurrent("the same cases, with services [custom-session-input-10, custom-config-4]", () => {
  prove(transportContract, openHttpTransport);
});

describe.concurrent("the contract of commands only", () => {
  prove(localTransportContract, openLocalTransport);
});

describe.concurrent("the contract of services only", () => {
  prove(httpTransportContract, openHttpTransport);
});

test("there are at least sixty cases that both transports fulfil, each with a unique id", () => {
  const ids = [...transportContract, ...localTransportContract, ...httpTransportContract].map(({ id }) => id);
  expect(transportContract.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ids).size).toBe(ids.length);
});
