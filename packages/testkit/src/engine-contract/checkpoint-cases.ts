import assert from "node:assert/strict";
import { type Checkpoint, EngineError, type Host } from "@switchyard/contracts";
import { plainBoard } from "../board/plain-board.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertRejected, attemptRun, RUN_ID, resumeRun, STARTED_AT } from "./attempt-run.ts";
import type { EngineSubject } from "./engine-subject.ts";

/** Runs the engine until it completes. Returns the checkpoints of the run. */
export async function checkpointsOf(subject: EngineSubject): Promise<readonly Checkpoint[]> {
  const { host } = await attemptRun(subject);
  applies(host.checkpoints.length > 0, "the engine saves no checkpoints");
  return host.checkpoints;
}

function stateOf({ board, payload }: Checkpoint): string {
  return JSON.stringify([board.vars, board.channels, payload]);
}

/** Conformance cases for the content of checkpoints, and for checkpoints that the engine must reject. */
export const checkpointCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/checkpoint-of-run",
    requirement: ["engine-checkpoint-1", "engine-checkpoint-2"],
    title: "Records the run id and a board in a checkpoint",
    async check(subject) {
      for (const { execId, board } of await checkpointsOf(subject)) {
        assert.equal(execId, RUN_ID);
        assert.equal(typeof board.vars, "object", "the checkpoint has no variables");
      }
    },
  },
  {
    id: "engine/checkpoint-plain",
    requirement: ["engine-checkpoint-3", "engine-board-snapshot-4"],
    title: "Saves a board that can be restored and a payload that survives JSON",
    async check(subject) {
      for (const { board, payload } of await checkpointsOf(subject)) {
        plainBoard(board);
        if (payload !== undefined) assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload);
      }
    },
  },
  {
    id: "engine/checkpoint-times",
    requirement: ["engine-checkpoint-4", "engine-checkpoint-5"],
    title: "Records the creation time, and the start of the first attempt across any number of resumes",
    async check(subject) {
      const fresh = await checkpointsOf(subject);
      const [first] = fresh;
      const resumes = first !== undefined && subject.engine.capabilities?.().supportsResume === true;
      const resumed = resumes ? (await resumeRun(subject, first)).host.checkpoints : [];
      for (const { timestamp, originalStartedAt } of [...fresh, ...resumed]) {
        assert.ok(!Number.isNaN(Date.parse(timestamp)), `"${timestamp}" is not a valid time`);
        assert.equal(originalStartedAt, STARTED_AT);
      }
    },
  },
  {
    id: "engine/checkpoint-attributes",
    requirement: "engine-checkpoint-6",
    title: "Records the run's attributes in a checkpoint",
    async check(subject) {
      const attributes = { "agent.id": "contract", "tenant.id": "t" };
      const { host } = await attemptRun(subject, { run: { attributes } });
      applies(host.checkpoints.length > 0, "the engine saves no checkpoints");
      for (const checkpoint of host.checkpoints) assert.deepEqual({ ...checkpoint.attributes }, attributes);
    },
  },
  {
    id: "engine/checkpoint-apart",
    requirement: "engine-board-snapshot-2",
    title: "Does not change a saved checkpoint when the run continues",
    async check(subject) {
      const written: { readonly checkpoint: Checkpoint; readonly state: string }[] = [];
      const wrap = (recorder: Host): Host => ({
        publish: (envelope) => recorder.publish(envelope),
        interrupts: () => recorder.interrupts(),
        askUser: (prompt, options) => recorder.askUser(prompt, options),
        reportUsage: (usage) => recorder.reportUsage(usage),
        checkpoint: async (checkpoint) => {
          written.push({ checkpoint, state: stateOf(checkpoint) });
        },
      });
      await attemptRun(subject, { wrap });
      applies(written.length > 0, "the engine saves no checkpoints");
      for (const { checkpoint, state } of written) assert.equal(stateOf(checkpoint), state);
    },
  },
  {
    id: "engine/checkpoint-refused",
    requirement: ["D6", "engine-checkpointer-2"],
    title: "Rejects with class conflict if a checkpoint is rejected because of a newer writer",
    async check(subject) {
      await checkpointsOf(subject);
      const checkpointFailure = new EngineError("store.stale_epoch", { runId: RUN_ID, epoch: 2 });
      const attempt = await attemptRun(subject, { recording: { checkpointFailure } });
      assertRejected(attempt, "conflict", "A run whose checkpoint was rejected");
    },
  },
  {
    id: "engine/checkpoint-refused-stops",
    requirement: ["D2", "D6"],
    title: "Makes no further model calls and completes no step after a checkpoint that could not be stored",
    async check(subject) {
      await checkpointsOf(subject);
      let before: string | undefined;
      const spent = (host: { usages: readonly unknown[]; ofType(type: "step_complete"): readonly unknown[] }): string =>
        `${host.usages.length} usage reports, ${host.ofType("step_complete").length} complete steps`;
      const attempt = await attemptRun(subject, {
        wrap: (recorder) => ({
          publish: (envelope) => recorder.publish(envelope),
          interrupts: () => recorder.interrupts(),
          askUser: (prompt, options) => recorder.askUser(prompt, options),
          reportUsage: (usage) => recorder.reportUsage(usage),
          checkpoint: async () => {
            before ??= spent(recorder);
            throw new EngineError("run.store_failed", { path: "runs", problem: "the disk is full" });
          },
        }),
      });
      assertRejected(attempt, "internal", "A run whose checkpoint could not be stored");
      assert.equal(spent(attempt.host), before);
    },
  },
];
