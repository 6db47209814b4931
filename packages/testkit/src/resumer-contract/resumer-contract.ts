import assert from "node:assert/strict";
import type { Checkpoint } from "@switchyard/contracts";
import type { ContractCase } from "../contract/contract-case.ts";
import { applies, type CaseBody, defineContract } from "../contract/define-contract.ts";
import { assertClass, assertRefused } from "../contract/expectations.ts";
import { attemptRun } from "../engine-contract/attempt-run.ts";
import type { ResumerFactory, ResumerSubject } from "./resumer-subject.ts";

const REFUSALS = ["validation", "not_available"] as const;
const CALLS = 20;
const MOST_MS_PER_CALL = 50;
const GARBAGE: readonly unknown[] = [undefined, null, 7, "text", true, [], {}, { format: 99 }, [[[]]]];

/** Returns the error that the resume check throws for a checkpoint. `undefined` if it accepts the checkpoint. */
function refusalOf({ resumer }: ResumerSubject, checkpoint: Checkpoint): unknown {
  try {
    const returned: unknown = resumer.canResume(checkpoint);
    assert.equal(returned, undefined, "the check returned a value; it must be synchronous");
    return undefined;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return error;
  }
}

function assertAccepted(subject: ResumerSubject, checkpoint: Checkpoint, label: string): void {
  const error = refusalOf(subject, checkpoint);
  if (error !== undefined) assert.fail(`${label} was rejected: ${String(error)}`);
}

function deeplyFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const item of Object.values(value)) deeplyFrozen(item);
  return Object.freeze(value);
}

const cases: readonly CaseBody<ResumerSubject>[] = [
  {
    id: "resumer/accepts",
    requirement: "engine-resumer-1",
    title: "Accepts its own checkpoint any number of times",
    async check(subject) {
      for (const call of [1, 2, 3]) assertAccepted(subject, subject.checkpoint, `The checkpoint, at call ${call},`);
    },
  },
  {
    id: "resumer/from-store",
    requirement: ["engine-resumer-1", "engine-run-resume-from-5"],
    title: "Decides by the content of a checkpoint: accepts a copy, also a frozen one",
    async check(subject) {
      assertAccepted(subject, structuredClone(subject.checkpoint), "A copy of the checkpoint");
      assertAccepted(subject, deeplyFrozen(structuredClone(subject.checkpoint)), "A frozen copy of the checkpoint");
    },
  },
  {
    id: "resumer/untouched",
    requirement: "engine-engine-9",
    title: "Changes nothing in the checkpoint",
    async check(subject) {
      const original = structuredClone(subject.checkpoint);
      refusalOf(subject, original);
      assert.deepEqual(original, subject.checkpoint);
    },
  },
  {
    id: "resumer/no-version",
    requirement: ["engine-checkpoint-7", "D11"],
    title: "Accepts a checkpoint without a definition version or with an empty one",
    async check(subject) {
      const { specVersion: _, ...without } = subject.checkpoint;
      assertAccepted(subject, without, "A checkpoint without a version");
      assertAccepted(subject, { ...subject.checkpoint, specVersion: "" }, "A checkpoint with an empty version");
    },
  },
  {
    id: "resumer/other-version",
    requirement: ["engine-checkpoint-8", "D11"],
    title: "Rejects a checkpoint of another definition version with class not_available",
    async check(subject) {
      const { specVersion = "" } = subject.checkpoint;
      applies(specVersion !== "", "the checkpoint has no definition version");
      for (const other of ["another version", `${specVersion}0`, ` ${specVersion}`]) {
        const drifted = { ...subject.checkpoint, specVersion: other };
        await assertRefused(() => subject.resumer.canResume(drifted), "not_available", `The version "${other}"`);
      }
    },
  },
  {
    id: "resumer/malformed",
    requirement: "engine-resumer-1",
    title: "Rejects a checkpoint that lacks required data with class validation or not_available",
    async check(subject) {
      const { malformed = [] } = subject;
      applies(malformed.length > 0, "the subject has no malformed checkpoint");
      for (const [index, checkpoint] of malformed.entries()) {
        await assertRefused(() => subject.resumer.canResume(checkpoint), REFUSALS, `Malformed checkpoint ${index + 1}`);
      }
    },
  },
  {
    id: "resumer/garbage",
    requirement: "engine-resumer-1",
    title: "Accepts any payload or rejects it with class validation or not_available",
    async check(subject) {
      for (const payload of GARBAGE) {
        const error = refusalOf(subject, { ...subject.checkpoint, payload });
        if (error !== undefined) assertClass(error, REFUSALS, `The payload ${JSON.stringify(payload)}`);
      }
      const error = refusalOf(subject, { ...subject.checkpoint, board: { vars: {} } });
      if (error !== undefined) assertClass(error, REFUSALS, "An empty board");
    },
  },
  {
    id: "resumer/cheap",
    requirement: "engine-resumer-2",
    title: "Completes synchronously: starts no asynchronous work and takes no noticeable time",
    async check(subject) {
      // No other code runs during the calls, so any additional timers, reads or connections belong to the resume check.
      const before = process.getActiveResourcesInfo().length;
      const began = performance.now();
      for (let call = 0; call < CALLS; call += 1) refusalOf(subject, subject.checkpoint);
      const durationMs = performance.now() - began;
      const started = process.getActiveResourcesInfo().length - before;
      assert.ok(started < CALLS, `${CALLS} checks started ${started} timers, reads or connections`);
      assert.ok(durationMs < CALLS * MOST_MS_PER_CALL, `${CALLS} checks took ${Math.round(durationMs)} ms`);
    },
  },
  {
    id: "resumer/agrees",
    requirement: ["engine-resumer-1", "engine-capabilities-7"],
    title: "Resumes a run from an accepted checkpoint, and rejects a rejected one with the same class",
    async check(subject) {
      const { situation, checkpoint, malformed = [] } = subject;
      applies(situation, "the subject has no engine to compare with");
      assert.equal(
        situation.engine.capabilities?.().supportsResume,
        true,
        "the engine does not declare that it can resume",
      );
      for (const resumeFrom of [checkpoint, ...malformed]) {
        const expected = refusalOf(subject, resumeFrom);
        const { error } = await attemptRun(situation, { run: { id: checkpoint.execId, resumeFrom } });
        if (expected === undefined) {
          assert.equal(error, undefined, `a run from a checkpoint that the check accepts: ${String(error)}`);
        } else {
          const { class: errorClass } = assertClass(expected, REFUSALS, "the error of the check");
          assertClass(error, errorClass, "a run from a checkpoint that the check rejects");
        }
      }
    },
  },
];

/** Conformance cases for resume checks: cheap, classified and correct. See engine: Resumer. */
export const resumerContract: readonly ContractCase<ResumerFactory>[] = defineContract(
  async (factory: ResumerFactory) => factory(),
  cases,
);
