import { checkpointStoreContract, runStoreContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { createMemoryCheckpointStore, createMemoryStore } from "../src/memory/index.ts";

describe("checkpoints in memory keep the contract", () => {
  for (const one of checkpointStoreContract) {
    test(one.title, ({ skip }) => one.run(() => createMemoryCheckpointStore(), { onSkip: skip }));
  }
});

describe("runs in memory keep the contract", () => {
  for (const one of runStoreContract) {
    test(one.title, ({ skip }) => one.run(() => createMemoryStore(), { onSkip: skip }));
  }
});
