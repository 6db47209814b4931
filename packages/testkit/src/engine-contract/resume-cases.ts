import assert from "node:assert/strict";
import { type Checkpoint, SESSION_RESULT } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertCompleted, assertRejected, attemptRun, CALLERS_VARIABLE, RUN_ID, resumeRun } from "./attempt-run.ts";
import { checkpointsOf } from "./checkpoint-cases.ts";
import type { EngineSubject } from "./engine-subject.ts";

const MARK = "contract.mark";

/** Returns a handwritten checkpoint that has only the required fields. */
function bareCheckpoint(execId: string): Checkpoint {
  return { execId, board: { vars: { [MARK]: "from the checkpoint" } }, timestamp: "2026-01-01T00:00:00.000Z" };
}

async function recordCheckpoints(subject: EngineSubject): Promise<readonly Checkpoint[]> {
  applies(subject.engine.capabilities?.().supportsResume === true, "the engine does not declare that it can resume");
  return checkpointsOf(subject);
}

/**
 * Returns a checkpoint with one additional variable on the board (the run's state). The variable shows whether a
 * resumed run uses the checkpoint's board.
 */
function marked(checkpoint: Checkpoint): Checkpoint {
  const { vars, channels } = checkpoint.board;
  return { ...checkpoint, board: { vars: { ...vars, [MARK]: "from the checkpoint" }, channels } };
}

/** Conformance cases for resuming from a checkpoint. */
export const resumeCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/resume-foreign",
    requirement: ["engine-run-resume-from-1", "engine-run-resume-from-4"],
    title: "Rejects a checkpoint of another run with class validation, also if it cannot resume",
    async check(subject) {
      const attempt = await resumeRun(subject, bareCheckpoint("another-run"));
      assertRejected(attempt, "validation", "A run with the checkpoint of another run");
    },
  },
  {
    id: "engine/resume-unsupported",
    requirement: ["engine-run-resume-from-2", "engine-capabilities-3"],
    title: "Rejects a checkpoint with class not_available if it does not declare that it can resume",
    async check(subject) {
      applies(subject.engine.capabilities?.().supportsResume !== true, "the engine declares that it can resume");
      const attempt = await resumeRun(subject, bareCheckpoint(RUN_ID));
      assertRejected(attempt, "not_available", "A run with a checkpoint");
    },
  },
  {
    id: "engine/resume-refused-untouched",
    requirement: "engine-run-resume-from-2",
    title: "Does not start a new run after rejecting a checkpoint: no tokens are used and the board is unchanged",
    async check(subject) {
      const attempt = await resumeRun(subject, bareCheckpoint("another-run"));
      const { host, board } = attempt;
      assert.deepEqual([host.usages.length, host.checkpoints.length, host.ofType("step_start").length], [0, 0, 0]);
      assert.deepEqual([board.getVar(CALLERS_VARIABLE), board.get(SESSION_RESULT)], ["kept", undefined]);
    },
  },
  {
    id: "engine/resume-as-claimed",
    requirement: ["engine-capabilities-7", "engine-capabilities-3"],
    title: "Completes from each of its own checkpoints if it declares that it can resume",
    async check(subject) {
      for (const checkpoint of await recordCheckpoints(subject)) {
        assertCompleted(
          await resumeRun(subject, checkpoint),
          `A run from the step ${checkpoint.step ?? "without name"}`,
        );
      }
    },
  },
  {
    id: "engine/resume-through-json",
    requirement: ["engine-run-resume-from-5", "engine-checkpoint-3"],
    title: "Resumes from a checkpoint that was stored and loaded as from the original",
    async check(subject) {
      for (const { board, ...rest } of (await recordCheckpoints(subject)).slice(-1)) {
        const stored: Checkpoint = structuredClone({ ...rest, board: { vars: board.vars, channels: board.channels } });
        assertCompleted(await resumeRun(subject, stored), "A run from a stored checkpoint");
      }
    },
  },
  {
    id: "engine/resume-board",
    requirement: ["engine-run-resume-from-3", "engine-run-resume-from-6"],
    title: "Replaces the content of the passed board with the checkpoint's board",
    async check(subject) {
      for (const checkpoint of (await recordCheckpoints(subject)).slice(-1)) {
        const attempt = await resumeRun(subject, marked(checkpoint));
        assertCompleted(attempt, "A resumed run");
        assert.equal(attempt.board.getVar(MARK), "from the checkpoint");
        const { [CALLERS_VARIABLE]: _, ...vars } = checkpoint.board.vars;
        const without = marked({
          ...checkpoint,
          board: { ...checkpoint.board, vars, channels: checkpoint.board.channels },
        });
        const later = await resumeRun(subject, without);
        assert.equal(later.board.hasVar(CALLERS_VARIABLE), false, "a variable that the checkpoint lacks is still set");
      }
    },
  },
  {
    id: "engine/resume-result",
    requirement: ["D9", "engine-run-resume-from-3"],
    title: "Returns the same result after a resume from any checkpoint as without an interruption",
    async check(subject) {
      applies(subject.isPredictable !== false, "the runs of the engine are not predictable");
      const checkpoints = await recordCheckpoints(subject);
      const uninterrupted = (await attemptRun(subject)).board.get(SESSION_RESULT);
      for (const checkpoint of checkpoints) {
        const resumed = (await resumeRun(subject, checkpoint)).board.get(SESSION_RESULT);
        const label = `the result from the step ${checkpoint.step ?? "without name"}`;
        assert.equal(resumed?.final_message, uninterrupted?.final_message, label);
        assert.equal(resumed?.exit_code, uninterrupted?.exit_code, label);
      }
    },
  },
  {
    id: "engine/resume-events",
    requirement: ["engine-engine-10", "engine-engine-11", "D7"],
    title: "Publishes start, marked as resumed, and end of a resumed run with the attempt number",
    async check(subject) {
      for (const checkpoint of (await recordCheckpoints(subject)).slice(0, 1)) {
        const { host } = await resumeRun(subject, checkpoint);
        const [[start, ...more], ends] = [host.ofType("run_start"), host.ofType("run_end")];
        assert.deepEqual([start?.payload.resumed, more.length, ends.length], [true, 0, 1]);
        for (const { type, attempt } of host.envelopes) assert.equal(attempt, 2, `the attempt of ${type}`);
      }
    },
  },
  {
    id: "engine/resume-drift",
    requirement: ["engine-checkpoint-8", "engine-checkpoint-7", "D11"],
    title: "Rejects a checkpoint of another definition version with class not_available, but not one without a version",
    async check(subject) {
      for (const checkpoint of (await recordCheckpoints(subject)).slice(-1)) {
        applies((checkpoint.specVersion ?? "") !== "", "the engine records no version of its definition");
        const drifted = await resumeRun(subject, { ...checkpoint, specVersion: "another version" });
        assertRejected(drifted, "not_available", "A run from a checkpoint of another version");
        for (const specVersion of ["", undefined]) {
          const attempt = await resumeRun(subject, { ...checkpoint, specVersion });
          assertCompleted(attempt, "A run from a checkpoint without a version");
        }
      }
    },
  },
];
