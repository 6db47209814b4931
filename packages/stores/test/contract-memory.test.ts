import {
  checkpointStoreContract,
  documentStoreContract,
  expectInapplicable,
  runStoreContract,
} from "@switchyard/testkit";
import { describe, test } from "vitest";
import { createMemoryCheckpointStore, createMemoryStore } from "../src/memory/index.ts";
import { documentsOf } from "./document-subject.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

// Cases that do not apply: an in-memory store cannot be opened by another process, be damaged, or be opened again after
// closing.
const CHECKPOINTS = ["checkpoint-store/reopened", "checkpoint-store/damaged"];
const RUNS = [
  "run-store/created-elsewhere",
  "run-store/events-elsewhere",
  "run-store/checkpoint-elsewhere",
  "run-store/checkpoint-damaged",
  "run-store/leased-elsewhere",
  "run-store/closed",
];

describe("checkpoints in memory fulfil the contract", () => {
  for (const one of expectInapplicable(checkpointStoreContract, CHECKPOINTS)) {
    test(one.title, ({ skip }) => one.run(() => createMemoryCheckpointStore(), { onSkip: skip, timeoutMs: CASE_MS }));
  }
});

describe("documents in memory fulfil the contract", () => {
  for (const one of expectInapplicable(documentStoreContract, ["document-store/reopened", "document-store/shared"])) {
    test(one.title, ({ skip }) =>
      one.run(() => documentsOf(createMemoryStore()), { onSkip: skip, timeoutMs: CASE_MS }),
    );
  }
});

describe("runs in memory fulfil the contract", () => {
  for (const one of expectInapplicable(runStoreContract, RUNS)) {
    test(one.title, ({ skip }) => one.run(() => createMemoryStore(), { onSkip: skip, timeoutMs: CASE_MS }));
  }
});
