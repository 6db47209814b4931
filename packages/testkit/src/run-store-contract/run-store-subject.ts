import assert from "node:assert/strict";
import type {
  Envelope,
  EventText,
  RunRecord,
  RunRequest,
  RunStatus,
  RunStore,
  RunWriter,
  SessionReport,
} from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import { assertClass, outcomeOf } from "../contract/expectations.ts";
import { sampleEnvelope } from "../envelope/sample-envelope.ts";

/** An empty run store that is used by one conformance case. */
export interface RunStoreSubject {
  /** Store under test. */
  readonly store: RunStore;
  /** Opens a second store on the same runs while the first store is open, to simulate another process. */
  readonly reopen?: (() => Eventually<RunStore>) | undefined;
  /** Corrupts the newest checkpoint of a run, to simulate a faulty disk. */
  readonly damageCheckpoint?: ((runId: string) => Eventually<void>) | undefined;
  /** Releases all resources except the store, which the conformance cases close. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/**
 * Creates an empty store. Returns the store, or an object with the store and optional operations for the conformance
 * cases.
 */
export type RunStoreFactory = () => Eventually<RunStore | RunStoreSubject>;

/** Calls a factory and returns the store under test. The store is closed when the returned object is disposed. */
export async function openRunStoreSubject(factory: RunStoreFactory): Promise<RunStoreSubject> {
  const created = await factory();
  const subject = "store" in created ? created : { store: created };
  return {
    ...subject,
    dispose: async () => {
      await subject.store.close();
      await subject.dispose?.();
    },
  };
}

const CREATED_AT = "2026-01-01T00:00:00.000Z";

/** Returns the record of a newly accepted run. */
export function sampleRecord(runId: string, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    format: 1,
    run_id: runId,
    engine: "sample",
    title: "Say hello",
    status: "running",
    attempt: 1,
    created_at: CREATED_AT,
    created_by: "contract",
    ...changes,
  };
}

/** Returns the request of a run. */
export function sampleRequest(): RunRequest {
  return {
    format: 1,
    input: { messages: [{ role: "user", content: "Say hello \ud83d\ude00" }] },
    settings: { depth: 1 },
  };
}

/** Returns the report of an attempt. */
export function sampleReport(runId: string, status: RunStatus): SessionReport {
  return {
    runId,
    engine: "sample",
    status,
    result: { exit_code: 0, final_message: "hello" },
    artifacts: [],
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    timing: { startedAt: CREATED_AT, finishedAt: "2026-01-01T00:00:01.000Z", durationMs: 1_000 },
  };
}

/** Returns a sample event of a run, with its sequence number. */
export function sampleEvent(seq: number): EventText {
  const envelope = { ...sampleEnvelope("engine.run.r.session.agent.warning", `event ${seq}`), seq };
  return { seq, text: JSON.stringify(envelope) };
}

/** Returns several events of a run. */
export function sampleEvents(from: number, to: number): EventText[] {
  return Array.from({ length: to - from + 1 }, (_, index) => sampleEvent(from + index));
}

/** Creates a run and returns its writer. */
export async function createRun(store: RunStore, runId: string, changes: Partial<RunRecord> = {}): Promise<RunWriter> {
  return store.create(sampleRecord(runId, changes), sampleRequest());
}

/** Resolves with the sequence numbers of a stream of events. */
export async function seqsOf(events: AsyncIterable<Envelope>): Promise<(number | undefined)[]> {
  const seqs: (number | undefined)[] = [];
  for await (const envelope of events) seqs.push(envelope.seq);
  return seqs;
}

/** Asserts that a call is rejected with the given code. */
export async function assertCode(call: () => unknown, code: string, label: string): Promise<void> {
  const outcome = await outcomeOf(async () => call());
  if (!("error" in outcome)) assert.fail(`${label} was not rejected.`);
  const found = assertClass(outcome.error, ["conflict", "validation", "not_found", "internal"], label);
  assert.equal(found.code, code, label);
}
